import { Link } from '@tanstack/react-router'
import { Info, Lock, type LucideIcon, ShieldCheck, Smartphone, X, LogOut } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Chip } from '#shared/ui/chip.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Logo } from '#shared/ui/logo.tsx'
import { tabsOf, TAB_DESCRIPTION, canView } from './tab-list.ts'
import type { DashboardState } from './use-dashboard-state.ts'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { initialOf } from '#shared/format.ts'

// Lazy: it is at the bottom, so its late arrival moves nothing.
const MenuFooter = lazy(async () => ({ default: (await import('./menu-footer.tsx')).MenuFooter }))

const AccountLimits = lazy(async () => ({ default: (await import('./menu-footer.tsx')).AccountLimits }))

const SupportLink = lazy(async () => ({ default: (await import('#shared/conta/support-link.tsx')).SupportLink }))

const ITEM_CLASS =
  'flex min-h-10 items-center gap-3 rounded-[10px] px-3 font-semibold text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-ink'

function ExternalItem({ to, icon: Icon, children }: { to: string; icon: LucideIcon; children: ReactNode }) {
  return (
    <li>
      <Link to={to} className={ITEM_CLASS}>
        <Icon aria-hidden className="size-4.5 flex-none" />
        {children}
      </Link>
    </li>
  )
}

export function Navigation({ painel, onGo }: { painel: DashboardState; onGo: () => void }) {
  const { viewer, aba: current, waitingCount, usuario, hasSimulador } = painel
  return (
    <nav aria-label="Seções do painel">
      <ul className="grid gap-0.5">
        {tabsOf(viewer).map((aba) => {
          const { title, icon: Icon } = TAB_DESCRIPTION[aba]
          const permitted = canView(viewer, aba)
          return (
            <li key={aba}>
              <Link
                to="/dashboard"
                search={{ aba }}
                className={ITEM_CLASS}
                aria-current={aba === current ? 'page' : undefined}
                activeProps={{}}
                onClick={onGo}
              >
                <Icon aria-hidden className="size-4.5 flex-none" />
                {title}
                {!permitted && (
                  <span className="ml-auto">
                    <Lock aria-hidden className="size-4" />
                    <span className="sr-only"> (sem permissão)</span>
                  </span>
                )}
                {permitted && aba === 'atendimento' && waitingCount > 0 && (
                  <Chip tone="vermelho" className="ml-auto tabular-nums">
                    {waitingCount}
                    <span className="sr-only"> aguardando</span>
                  </Chip>
                )}
              </Link>
            </li>
          )
        })}
        {hasSimulador && (
          <ExternalItem to="/simulador" icon={Smartphone}>
            Simulador
          </ExternalItem>
        )}
        {usuario.tipo === 'admin' && (
          <ExternalItem to="/admin" icon={ShieldCheck}>
            Administração
          </ExternalItem>
        )}
        <ExternalItem to={`/ajuda/${current}`} icon={Info}>
          Ajuda
        </ExternalItem>
        {usuario.plano === 'doacao' && (
          <Suspense>
            <SupportLink className={ITEM_CLASS} inList />
          </Suspense>
        )}
      </ul>
    </nav>
  )
}

interface SideMenuProps {
  readonly painel: DashboardState
  readonly drawer: boolean
  readonly open: boolean
  readonly onClose: () => void
}

export function SideMenu({ painel, drawer, open, onClose }: SideMenuProps) {
  const hidden = drawer && !open
  const overlaid = drawer && open
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!overlaid) return
    const opener = document.activeElement
    close.current?.focus()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [overlaid])
  return (
    <aside
      id="menu"
      aria-label="Menu"
      inert={hidden}
      className={`fixed top-0 bottom-(--rodape) left-0 z-40 flex w-[min(17rem,86vw)] flex-col gap-3 border-r bg-surface p-3 transition-[translate] duration-200 ease-out-soft lg:sticky lg:top-0 lg:z-auto lg:h-(--altura) lg:w-auto ${hidden ? '-translate-x-full' : ''}`}
    >
      <div className="flex items-center justify-between px-2 pt-1">
        <Logo />
        {drawer && (
          <IconButton
            ref={close}
            label="Fechar menu"
            tooltip={false}
            icon={<X aria-hidden className="size-5" />}
            onClick={onClose}
          />
        )}
      </div>
      <div className="relative -mx-3 flex min-h-0 flex-1 flex-col overflow-x-hidden overflow-y-auto overscroll-contain px-3 py-1">
        <Navigation painel={painel} onGo={onClose} />
        <Suspense>
          <MenuFooter painel={painel} />
        </Suspense>
      </div>
      <UserCard usuario={painel.usuario} limits={painel.limits} onLogout={painel.logout} />
    </aside>
  )
}

interface UserCardProps {
  readonly usuario: Usuario
  readonly limits: DashboardState['limits']
  readonly onLogout: () => void
}

function planoLabel({ tipo, plano }: Usuario): string {
  if (tipo === 'operador') return 'OPERADOR'
  return plano === 'doacao' ? 'DOAÇÃO' : 'GRATUITO'
}

function UserCard({ usuario, limits, onLogout }: UserCardProps) {
  const initial = initialOf(usuario.nome.trim() || usuario.email)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card bg-sunken p-2.5">
      <span
        aria-hidden
        className="grid size-9 flex-none place-items-center rounded-full bg-brand font-bold text-on-brand"
      >
        {initial}
      </span>
      <div className="min-w-0 flex-1 leading-tight">
        <p className="truncate text-sm font-semibold">{usuario.nome}</p>
        <p className="truncate text-xs text-muted" title={usuario.email}>
          {usuario.email}
        </p>
        <p className="text-xs font-bold tracking-wide text-brand-ink">{planoLabel(usuario)}</p>
      </div>
      <IconButton
        label="Sair"
        tooltip={false}
        title="Sair"
        icon={<LogOut aria-hidden className="size-4.5" />}
        onClick={onLogout}
      />
      {/* Two lines are reserved, so that the late text moves nothing. */}
      {usuario.tipo !== 'operador' && (
        <p className="min-h-8 w-full text-xs text-muted">
          {limits !== null && (
            <Suspense>
              <AccountLimits limits={limits} />
            </Suspense>
          )}
        </p>
      )}
    </div>
  )
}

export function BottomBar({ painel: { viewer, aba: current, waitingCount } }: { painel: DashboardState }) {
  const tabs = tabsOf(viewer)
  if (tabs.length < 2) return null
  return (
    <nav
      aria-label="Abas"
      // An open chat needs the phone's full height and has its own back button.
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t bg-surface pb-[env(safe-area-inset-bottom)] in-[body:has([data-conversa-aberta])]:hidden lg:hidden"
    >
      {tabs.map((aba) => {
        const { title, shortTitle, icon: Icon } = TAB_DESCRIPTION[aba]
        const waiting = aba === 'atendimento' && canView(viewer, aba) && waitingCount > 0
        return (
          <Link
            key={aba}
            to="/dashboard"
            search={{ aba }}
            aria-current={aba === current ? 'page' : undefined}
            activeProps={{}}
            title={title}
            className="flex min-h-14 min-w-0 flex-col items-center justify-center gap-0.5 text-[0.69rem] font-semibold text-muted max-[22.5rem]:text-[0.63rem] max-[22.5rem]:tracking-tight aria-[current=page]:text-brand-ink"
          >
            <span className="relative">
              <Icon aria-hidden className="size-5" />
              {!canView(viewer, aba) && (
                <Lock aria-hidden className="absolute -top-1 -right-2 size-3 rounded-full bg-surface" />
              )}
              {waiting && <span aria-hidden className="absolute -top-0.5 -right-1 size-2 rounded-full bg-danger" />}
            </span>
            <span className="max-w-full truncate">
              {shortTitle}
              {waiting && <span className="sr-only">, {waitingCount} aguardando</span>}
              {!canView(viewer, aba) && <span className="sr-only"> (sem permissão)</span>}
            </span>
          </Link>
        )
      })}
    </nav>
  )
}
