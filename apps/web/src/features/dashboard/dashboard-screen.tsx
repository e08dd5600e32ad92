import clsx from 'clsx'
import type { Aba } from '@balcao/contract/constants'
import type { TipoUsuario, Usuario } from '@balcao/contract/entities/usuario'
import { usePrefetchQuery, useQueryClient } from '@tanstack/react-query'
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
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { notify } from '#shared/avisos.ts'
import { TestMode } from '#shared/conexao/test-mode.tsx'
import { botStatusOptions } from '#shared/data/bot-status.ts'
import { configOptions } from '#shared/data/config/use-config.ts'
import { usageStatsOptions } from '#shared/data/use-usage-stats.ts'
import { useLiveCache } from '#shared/realtime/use-live-cache.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useTheme } from '#shared/hooks/use-theme.ts'
import { useLoginSession } from '#shared/session.tsx'
import { removeFrame } from '#shared/ui/frame.ts'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { onContaZone, contaZone } from '#shared/time-zone.ts'
import {
  TAB_DESCRIPTION,
  parseTab,
  canView,
  firstPermittedTab,
  tabsOf,
  useTabKeys,
  type Viewer,
} from './shell/tab-list.ts'
import { BottomBar } from './shell/bottom-bar.tsx'
import { SideMenu } from './shell/navigation.tsx'
import { useFoldedMenu } from './shell/use-folded-menu.ts'
import { PageTitle, TabPurpose } from './shell/page-title.tsx'
import { PanelHeader } from './shell/panel-header.tsx'
import { type DashboardState, useDashboardState } from './shell/use-dashboard-state.ts'
import { startPedido, useTakesPedidos } from '#shared/pedidos/new-pedido.ts'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { whenIdle } from '#shared/when-idle.ts'

const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }))

const WriteDialog = lazy(async () => ({ default: (await import('#shared/write/write-dialog.tsx')).WriteDialog }))

const ClearSessionDialog = lazy(async () => ({
  default: (await import('./shell/clear-session-dialog.tsx')).ClearSessionDialog,
}))

const ManutencaoNotice = lazy(async () => ({
  default: (await import('./shell/tab-notices.tsx')).ManutencaoNotice,
}))

// It reads the lines of the account, which the first paint of most tabs does not need.
const UnpaidNotice = lazy(async () => {
  await whenIdle()
  return { default: (await import('./shell/unpaid-notice.tsx')).UnpaidNotice }
})

const RestrictedAccess = lazy(async () => ({
  default: (await import('./shell/tab-notices.tsx')).RestrictedAccess,
}))

const ShortcutHelp = lazy(async () => ({ default: (await import('./palette/shortcut-help.tsx')).ShortcutHelp }))

// They receive deferred data: updates render in chunks, and typing or opening the side menu does not re-render
// them.
const MemoHeader = memo(PanelHeader)
const MemoMenu = memo(SideMenu)
const MemoBottomBar = memo(BottomBar)

/** Passed in by the app, because features must not import each other. */
export type TabRegistry = Readonly<Record<Aba, ComponentType>>

export type NoticeWatcherComponent = ComponentType<{ aguardando: number }>

interface DashboardScreenProps {
  readonly tabs: TabRegistry
  readonly noticeWatcher: NoticeWatcherComponent
}

/** Sends the requests of the first screen before that screen renders. Its own queries join them. */
function useFirstReads(contaId: string): void {
  const client = useQueryClient()
  usePrefetchQuery(botStatusOptions(client))
  usePrefetchQuery(configOptions(contaId))
  usePrefetchQuery(usageStatsOptions)
}

export function DashboardScreen(props: DashboardScreenProps) {
  // The session may end while mounted. Nothing below may require a user until the router leaves.
  const { usuario } = useLoginSession()
  return usuario === null ? <PageSpinner /> : <Dashboard {...props} usuario={usuario} />
}

function Dashboard({ usuario, ...props }: DashboardScreenProps & { usuario: Usuario }) {
  useFirstReads(usuario.contaId)
  // The router renders a route in one go. The deferred value renders the panel in chunks behind a spinner.
  const ready = useDeferredValue(true, false)
  return ready ? <DashboardShell {...props} tipo={usuario.tipo} /> : <PageSpinner />
}

/**
 * Moves to the first permitted tab if the permission was withdrawn, or if no tab was requested and the first is
 * locked.
 * An explicitly requested locked tab stays on screen, locked.
 */
function useLeaveLockedTab(viewer: Viewer, aba: Aba, requested: boolean, goTo: (aba: Aba) => void): void {
  const permitted = canView(viewer, aba)
  const permittedTabSeen = useRef<Aba | null>(null)
  const loaded = viewer.tipo === 'admin' || viewer.componentes !== null
  const destination = firstPermittedTab(viewer)
  const leave = useEffectEvent(() => {
    if (destination === null) return
    if (permittedTabSeen.current === aba) notify.info(`Seu acesso a ${TAB_DESCRIPTION[aba].title} foi retirado.`)
    goTo(destination)
  })
  useEffect(() => {
    if (!loaded) return
    if (!permitted && (!requested || permittedTabSeen.current === aba)) leave()
    permittedTabSeen.current = permitted ? aba : null
  }, [aba, loaded, permitted, requested])
}

function DashboardShell({ tabs, noticeWatcher, tipo }: DashboardScreenProps & { tipo: TipoUsuario }) {
  useLiveCache()
  useLayoutEffect(removeFrame, [])
  const navigate = useNavigate()
  const requested = useSearch({ strict: false, select: (search) => search.aba })
  const aba = parseTab(requested, tipo)
  const { painel, clearDialog } = useDashboardState(aba)
  const deferredPainel = useDeferredValue(painel)
  const drawer = !useMediaQuery('(min-width: 64rem)')
  const { folded, onFold } = useFoldedMenu(aba, drawer)
  const [menuOpen, setMenuOpen] = useState(false)
  const [overlay, setOverlay] = useState<OpenOverlays>({ palette: false, help: false })
  const openMenu = useCallback(() => setMenuOpen(true), [])
  const closeMenu = useCallback(() => setMenuOpen(false), [])
  const openPalette = useCallback(() => setOverlay((open) => ({ ...open, palette: true })), [])
  const goTo = (destination: Aba, lista?: string) =>
    void navigate({ to: '/dashboard', search: { aba: destination, lista } })
  useLeaveLockedTab(painel.viewer, aba, requested !== undefined, goTo)
  useHotkeys({
    '$mod+k': openPalette,
    'Shift+?': () => setOverlay((open) => ({ ...open, help: true })),
    ...useTabKeys(goTo),
    Escape: closeMenu,
  })
  const late = useDeferredValue(true, false)
  const covered = drawer && menuOpen
  return (
    <div
      className={`min-h-(--altura) lg:grid ${folded ? 'lg:grid-cols-[4rem_minmax(0,1fr)]' : 'lg:grid-cols-[17rem_minmax(0,1fr)]'}`}
    >
      <a href="#conteudo" className="skip btn btn-primary">
        Pular para o conteúdo
      </a>
      {/* The closed menu of a phone can render later. On wide screens the menu is visible immediately. */}
      {(!drawer || menuOpen || late) && (
        <MemoMenu painel={deferredPainel} open={menuOpen} onClose={closeMenu} {...{ drawer, folded, onFold }} />
      )}
      {covered && <div aria-hidden className="fixed inset-0 z-30 bg-black/40 lg:hidden" onClick={closeMenu} />}
      <div
        inert={covered}
        className={clsx(
          'min-w-0 cheia:flex cheia:h-(--altura) cheia:flex-col',
          // The bottom bar is absent with a single tab and in an open chat.
          tabsOf(painel.viewer).length > 1 &&
            'pb-[calc(3.5rem+env(safe-area-inset-bottom))] has-data-conversa-aberta:pb-0 lg:pb-0',
        )}
      >
        <PageTitle aba={aba} waiting={painel.waitingCount} />
        <MemoHeader painel={deferredPainel} menuOpen={menuOpen} onOpenMenu={openMenu} onSearch={openPalette} />
        <TabArea painel={painel} component={tabs[aba]} />
        <MemoBottomBar painel={deferredPainel} onOpenMenu={openMenu} />
      </div>
      <Overlays painel={painel} open={overlay} onOpen={setOverlay} goTo={goTo} noticeWatcher={noticeWatcher} />
      <Suspense>{clearDialog.open && <ClearSessionDialog painel={painel} onClose={clearDialog.close} />}</Suspense>
    </div>
  )
}

function TabArea({ painel, component: Content }: { painel: DashboardState; component: ComponentType }) {
  const { aba, viewer, bot } = painel
  const zone = useSyncExternalStore(onContaZone, contaZone)
  return (
    <main
      id="conteudo"
      tabIndex={-1}
      className="mx-auto max-w-6xl p-3 outline-none sm:p-6 cheia:flex cheia:min-h-0 cheia:w-full cheia:max-w-none cheia:flex-1 cheia:flex-col cheia:p-0"
    >
      <TabPurpose aba={aba} />
      {/* Below the purpose, which stays in its place when the band appears. */}
      <TestMode {...(aba === 'atendimento' ? {} : { className: 'mb-4 rounded-card border' })} />
      {aba !== 'logs' && bot.bot.motivo === 'manutencao' && (
        <Suspense>
          <ManutencaoNotice />
        </Suspense>
      )}
      <Suspense>
        <UnpaidNotice main={bot.bot.motivo} />
      </Suspense>
      {/* A new time zone changes every time on screen, so the tab remounts. */}
      <LazyPart key={`${aba} ${zone}`} name="esta aba">
        {aba === 'pedidos' && viewer.pedidos === null ? (
          <PageSpinner />
        ) : canView(viewer, aba) ? (
          <Content />
        ) : (
          <RestrictedAccess permitted={firstPermittedTab(viewer)} />
        )}
      </LazyPart>
    </main>
  )
}

interface OpenOverlays {
  readonly palette: boolean
  readonly help: boolean
}

interface OverlaysProps {
  readonly painel: DashboardState
  readonly open: OpenOverlays
  readonly onOpen: (change: (open: OpenOverlays) => OpenOverlays) => void
  readonly goTo: (aba: Aba, lista?: string) => void
  readonly noticeWatcher: NoticeWatcherComponent
}

function Overlays({ painel, open, onOpen, goTo, noticeWatcher: NoticeWatcher }: OverlaysProps) {
  const navigate = useNavigate()
  const { tema, alternar } = useTheme()
  const { viewer, waitingCount } = painel
  const [writing, setWriting] = useState(false)
  const inChat = useSearch({ strict: false, select: ({ c }) => c !== undefined })
  const takesPedidos = useTakesPedidos()
  const showConversa = (c: string): void => void navigate({ to: '/dashboard', search: { aba: 'atendimento', c } })
  return (
    <>
      <Suspense>
        {writing && (
          <WriteDialog
            contato={null}
            setores={painel.config.config?.atendimento.setores ?? []}
            onOpened={({ id }) => showConversa(id)}
            onShow={showConversa}
            onClose={() => setWriting(false)}
          />
        )}
      </Suspense>
      <Suspense>
        {open.palette && (
          <Palette
            painel={painel}
            theme={tema}
            targets={{
              goTo,
              openPage: (page) => void navigate({ to: page }),
              openFound: (target) => void navigate({ to: '/dashboard', search: { ...target } }),
              startConversa: () => setWriting(true),
              startPedido: painel.aba === 'atendimento' && inChat && takesPedidos ? startPedido : null,
              openPanel: (destination) =>
                void navigate({ to: '/dashboard', search: { aba: 'atendimento', painel: destination } }),
              toggleTheme: alternar,
              openHelp: () => onOpen((current) => ({ ...current, help: true })),
            }}
            onClose={() => onOpen((current) => ({ ...current, palette: false }))}
          />
        )}
      </Suspense>
      {viewer.componentes !== null && (canView(viewer, 'atendimento') || canView(viewer, 'loja')) && (
        <Suspense>
          <NoticeWatcher aguardando={waitingCount} />
        </Suspense>
      )}
      <Suspense>
        {open.help && <ShortcutHelp onClose={() => onOpen((current) => ({ ...current, help: false }))} />}
      </Suspense>
    </>
  )
}
