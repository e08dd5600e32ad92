import clsx from 'clsx'
import { type Aba, ABAS } from '@balcao/contract/constants'
import type { TipoUsuario } from '@balcao/contract/entities/usuario'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  type ComponentType,
  lazy,
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { notify } from '#shared/avisos.ts'
import { useLiveCache } from '#shared/realtime/use-live-cache.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useTheme } from '#shared/hooks/use-theme.ts'
import { useLoginSession } from '#shared/session.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { onContaZone, contaZone } from '#shared/time-zone.ts'
import { TAB_DESCRIPTION, parseTab, canView, firstPermittedTab, type Viewer } from './shell/tab-list.ts'
import { BottomBar } from './shell/bottom-bar.tsx'
import { PanelHeader } from './shell/panel-header.tsx'
import { SideMenu } from './shell/side-menu.tsx'
import { useDashboardState } from './shell/use-dashboard-state.ts'
import { LazyPart } from '#shared/ui/lazy-part.tsx'

const PanelPalette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).PanelPalette }))

const ConfirmDialog = lazy(async () => ({ default: (await import('#shared/ui/confirm-dialog.tsx')).ConfirmDialog }))

const ManutencaoNotice = lazy(async () => ({
  default: (await import('./avisos/manutencao-notice.tsx')).ManutencaoNotice,
}))

const ShortcutHelp = lazy(async () => ({ default: (await import('./palette/shortcut-help.tsx')).ShortcutHelp }))

// They receive deferred data: updates render in chunks, and typing or opening the side menu does not re-render
// them.
const MemoHeader = memo(PanelHeader)
const MemoMenu = memo(SideMenu)
const MemoBottomBar = memo(BottomBar)

/** Passed in by the app, because features must not import each other. */
export type TabRegistry = Readonly<Record<Aba, ComponentType>>

/** Runs on every tab, for users who may use the tab atendimento. */
export type NoticeWatcherComponent = ComponentType<{ aguardando: number }>

interface DashboardScreenProps {
  readonly tabs: TabRegistry
  readonly noticeWatcher: NoticeWatcherComponent
}

export function DashboardScreen(props: DashboardScreenProps) {
  // The session may end while mounted. Nothing below may require a user until the router leaves.
  const { usuario } = useLoginSession()
  // The router renders a route in one go. The deferred value renders the panel in chunks behind a spinner.
  const ready = useDeferredValue(true, false)
  return usuario === null || !ready ? <PageSpinner /> : <DashboardShell {...props} tipo={usuario.tipo} />
}

/**
 * Moves to the first permitted tab if the permission was withdrawn, or if no tab was requested and the first is
 * locked.
 * An explicitly requested locked tab stays on screen, locked.
 */
function useLeaveLockedTab(quem: Viewer, aba: Aba, requested: boolean, irPara: (aba: Aba) => void): void {
  const liberada = canView(quem, aba)
  const vistaLiberada = useRef<Aba | null>(null)
  const loaded = quem.tipo === 'admin' || quem.componentes !== null
  const destination = firstPermittedTab(quem)
  const cair = useEffectEvent(() => {
    if (destination === null) return
    if (vistaLiberada.current === aba) notify.info(`Seu acesso a ${TAB_DESCRIPTION[aba].title} foi retirado.`)
    irPara(destination)
  })
  useEffect(() => {
    if (!loaded) return
    if (!liberada && (!requested || vistaLiberada.current === aba)) cair()
    vistaLiberada.current = liberada ? aba : null
  }, [aba, loaded, liberada, requested])
}

const NUMBER_AFTER_G_MS = 1_000

/** `G`, then `1` to `6`. Not in the hotkey library: it misses a second sequence typed right after the first. */
function useTabKeys(irPara: (aba: Aba) => void): Readonly<Record<string, () => void>> {
  const apertouG = useRef(Number.NEGATIVE_INFINITY)
  const numeros = ABAS.map((aba, index) => [
    String(index + 1),
    () => {
      if (performance.now() - apertouG.current < NUMBER_AFTER_G_MS) irPara(aba)
      apertouG.current = Number.NEGATIVE_INFINITY
    },
  ])
  const g = () => {
    apertouG.current = performance.now()
  }
  return { g, ...Object.fromEntries(numeros) }
}

function DashboardShell({ tabs, noticeWatcher: Vigia, tipo }: DashboardScreenProps & { tipo: TipoUsuario }) {
  useLiveCache()
  const navigate = useNavigate()
  const requested = useSearch({ strict: false, select: (busca) => busca.aba })
  const aba = parseTab(requested, tipo)
  const { painel, clearDialog } = useDashboardState(aba)
  const emVolta = useDeferredValue(painel)
  const { tema, alternar } = useTheme()
  const zone = useSyncExternalStore(onContaZone, contaZone)
  const gaveta = !useMediaQuery('(min-width: 64rem)')
  const [menuAberto, setMenuAberto] = useState(false)
  const [paletaAberta, setPaletaAberta] = useState(false)
  const [ajudaAberta, setAjudaAberta] = useState(false)
  const abrirMenu = useCallback(() => setMenuAberto(true), [])
  const fecharMenu = useCallback(() => setMenuAberto(false), [])
  const fetch = useCallback(() => setPaletaAberta(true), [])
  const irPara = (destination: Aba) => void navigate({ to: '/dashboard', search: { aba: destination } })
  useLeaveLockedTab(painel.viewer, aba, requested !== undefined, irPara)

  const { waitingCount } = painel
  useEffect(() => {
    document.title = `${waitingCount > 0 ? `(${waitingCount}) ` : ''}${TAB_DESCRIPTION[aba].title} · Balcão`
  }, [aba, waitingCount])

  useHotkeys({
    '$mod+k': fetch,
    'Shift+?': () => setAjudaAberta(true),
    ...useTabKeys(irPara),
    Escape: fecharMenu,
  })

  const after = useDeferredValue(true, false)
  const coberto = gaveta && menuAberto
  return (
    <div className="min-h-(--altura) lg:grid lg:grid-cols-[17rem_minmax(0,1fr)]">
      <a href="#conteudo" className="skip btn btn-primary">
        Pular para o conteúdo
      </a>
      {/* The closed menu of a phone can render later. On wide screens the menu is visible immediately. */}
      {(!gaveta || menuAberto || after) && (
        <MemoMenu painel={emVolta} drawer={gaveta} open={menuAberto} onClose={fecharMenu} />
      )}
      {coberto && <div aria-hidden className="fixed inset-0 z-30 bg-black/40 lg:hidden" onClick={fecharMenu} />}
      <div
        inert={coberto}
        className={clsx(
          'min-w-0 cheia:flex cheia:h-(--altura) cheia:flex-col',
          // The bottom bar is absent for operadores and in an open chat.
          tipo !== 'operador' && 'pb-[calc(3.5rem+env(safe-area-inset-bottom))] has-data-conversa-aberta:pb-0 lg:pb-0',
        )}
      >
        <MemoHeader painel={emVolta} menuOpen={menuAberto} onOpenMenu={abrirMenu} onSearch={fetch} />
        <main
          id="conteudo"
          tabIndex={-1}
          className="mx-auto max-w-6xl p-3 outline-none cheia:flex cheia:min-h-0 cheia:w-full cheia:max-w-[108rem] cheia:flex-1 cheia:flex-col sm:p-6"
        >
          {aba !== 'logs' && painel.bot.bot.motivo === 'manutencao' && (
            <Suspense>
              <ManutencaoNotice />
            </Suspense>
          )}
          <TabContent
            // A new time zone changes every time on screen, so the tab remounts.
            key={`${aba} ${zone}`}
            allowed={canView(painel.viewer, aba)}
            permitted={firstPermittedTab(painel.viewer)}
            component={tabs[aba]}
          />
        </main>
        <MemoBottomBar painel={emVolta} />
      </div>
      <Suspense>
        {paletaAberta && (
          <PanelPalette
            painel={painel}
            theme={tema}
            targets={{
              goTo: irPara,
              openPage: (page) => void navigate({ to: page }),
              openPanel: (destination) =>
                void navigate({ to: '/dashboard', search: { aba: 'atendimento', painel: destination } }),
              toggleTheme: alternar,
              openHelp: () => setAjudaAberta(true),
            }}
            onClose={() => setPaletaAberta(false)}
          />
        )}
      </Suspense>
      {painel.viewer.componentes !== null && canView(painel.viewer, 'atendimento') && (
        <Suspense>
          <Vigia aguardando={waitingCount} />
        </Suspense>
      )}
      <Suspense>{ajudaAberta && <ShortcutHelp aberta onFechar={() => setAjudaAberta(false)} />}</Suspense>
      <Suspense>
        {clearDialog.aberta && (
          <ConfirmDialog
            open
            title="Limpar a sessão do WhatsApp?"
            confirmLabel="Limpar sessão"
            onConfirm={painel.actions.clear}
            onClose={clearDialog.fechar}
          >
            O bot para e esquece o celular conectado. Para voltar a atender, será preciso iniciar e escanear um novo QR
            Code.
          </ConfirmDialog>
        )}
      </Suspense>
    </div>
  )
}

const RestrictedAccess = lazy(async () => ({
  default: (await import('./shell/restricted-access.tsx')).RestrictedAccess,
}))

interface TabContentProps {
  readonly allowed: boolean
  readonly permitted: Aba | null
  readonly component: ComponentType
}

function TabContent({ allowed, permitted, component: Conteudo }: TabContentProps) {
  return <LazyPart name="esta aba">{allowed ? <Conteudo /> : <RestrictedAccess permitida={permitted} />}</LazyPart>
}
