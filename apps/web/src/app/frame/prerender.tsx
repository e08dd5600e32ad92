import { BOT_STATUS_INICIAL } from '@balcao/contract/bot-status'
import { ABAS } from '@balcao/contract/constants'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { BottomBar } from '#features/dashboard/shell/bottom-bar.tsx'
import { MenuHead, Navigation } from '#features/dashboard/shell/navigation.tsx'
import { TabPurpose } from '#features/dashboard/shell/page-title.tsx'
import { PanelHeader } from '#features/dashboard/shell/panel-header.tsx'
import type { DashboardState } from '#features/dashboard/shell/use-dashboard-state.ts'
import { Skeleton } from '#shared/ui/states.tsx'

const none = (): void => undefined
const noneAsync = async (): Promise<void> => undefined

/** The panel before the first answers, for a user with every tab. */
const STATE: DashboardState = {
  usuario: {
    id: '',
    contaId: '',
    nome: '',
    email: '',
    telefone: '',
    empresa: '',
    tipo: 'usuario',
    plano: 'gratuito',
    status: 'ativo',
    ativo: true,
    dataCriacao: '',
    limiteMensagensDia: 0,
    componentesPermitidos: {
      configuracaoGeral: true,
      mensagensMenus: true,
      iaChatbot: true,
      logsStatus: true,
      atendimentoHumano: true,
      lojaWhatsapp: true,
    },
  },
  viewer: { tipo: 'usuario', componentes: null, pedidos: null },
  aba: 'geral',
  bot: { bot: BOT_STATUS_INICIAL, known: false, loading: true, error: null },
  config: {
    config: null,
    source: 'padrao',
    loading: true,
    error: null,
    reload: () => Promise.reject(new Error('no configuration in the frame')),
  },
  socket: { tipo: 'conectando' },
  usage: null,
  limits: null,
  waitingCount: 0,
  actions: { running: null, quickSetup: noneAsync, clear: noneAsync, reload: noneAsync, check: noneAsync },
  askClearSession: none,
  logout: none,
  hasSimulador: true,
}

function FrameMenu({ folded }: { folded: boolean }) {
  return (
    <div
      data-menu={folded ? 'folded' : 'wide'}
      className={`hidden h-(--altura) flex-col gap-3 border-r bg-surface ${folded ? 'p-2' : 'p-3'} lg:flex`}
    >
      <MenuHead drawer={false} folded={folded} onFold={none} onClose={none} />
      <div className="py-1">
        <Navigation painel={STATE} folded={folded} onGo={none} />
      </div>
    </div>
  )
}

/**
 * The classes of the outer boxes are those of `DashboardScreen`, `SideMenu` and `LazyPart`. `app.html` removes one of
 * the two menus.
 */
function Frame() {
  return (
    <div className="h-(--altura) overflow-hidden lg:grid lg:grid-cols-[17rem_minmax(0,1fr)]">
      <FrameMenu folded={false} />
      <FrameMenu folded />
      <div className="min-w-0">
        <PanelHeader painel={STATE} menuOpen={false} onOpenMenu={none} onSearch={none} />
        <div className="mx-auto max-w-6xl p-3 sm:p-6">
          {ABAS.map((aba) => (
            <TabPurpose key={aba} aba={aba} />
          ))}
          <div className="grid gap-4">
            <Skeleton className="h-40 w-full" />
            <Skeleton className="h-64 w-full" />
          </div>
        </div>
        <BottomBar painel={STATE} onOpenMenu={none} />
      </div>
    </div>
  )
}

/** Markup of the panel's frame, drawn with the panel's own components. `app.html` shows it until the panel renders. */
export async function renderFrame(): Promise<string> {
  const root = createRootRoute()
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: '/dashboard', component: Frame })]),
    history: createMemoryHistory({ initialEntries: ['/dashboard?aba=geral'] }),
    isServer: true,
  })
  await router.load()
  return renderToStaticMarkup(<RouterProvider router={router} />)
}
