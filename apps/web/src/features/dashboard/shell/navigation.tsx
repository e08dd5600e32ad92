import { Link } from '@tanstack/react-router'
import { Info, Lock, type LucideIcon, PanelLeft, ShieldCheck, Smartphone, X, LogOut } from 'lucide-react'
import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react'
import { Chip } from '#shared/ui/chip.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Logo } from '#shared/ui/logo.tsx'
import { tabsOf, TAB_DESCRIPTION, canView } from './tab-list.ts'
import type { DashboardState } from './use-dashboard-state.ts'
import type { Aba } from '@balcao/contract/constants'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { initialOf } from '#shared/format.ts'

// Lazy: it is at the bottom, so its late arrival moves nothing.
const MenuFooter = lazy(async () => ({ default: (await import('./menu-footer.tsx')).MenuFooter }))

const AccountLimits = lazy(async () => ({ default: (await import('./menu-footer.tsx')).AccountLimits }))

const SupportLink = lazy(async () => ({ default: (await import('#shared/conta/support-link.tsx')).SupportLink }))

const ITEM_CLASS =
  'flex min-h-10 items-center gap-3 rounded-[10px] px-3 font-semibold text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-ink'

interface ExternalItemProps {
  readonly to: string
  readonly icon: LucideIcon
  readonly folded: boolean
  readonly children: string
}

function ExternalItem({ to, icon: Icon, folded, children }: ExternalItemProps) {
  return (
    <li>
      <Link to={to} className={ITEM_CLASS} title={folded ? children : undefined}>
        <Icon aria-hidden className="size-4.5 flex-none" />
        <span className={folded ? 'sr-only' : undefined}>{children}</span>
      </Link>
    </li>
  )
}

interface NavigationProps {
  readonly painel: DashboardState
  readonly folded: boolean
  readonly onGo: () => void
}

function TabItem({ aba, painel, folded, onGo }: NavigationProps & { readonly aba: Aba }) {
  const { viewer, aba: current, waitingCount } = painel
  const { title, icon: Icon } = TAB_DESCRIPTION[aba]
  const permitted = canView(viewer, aba)
  const waiting = permitted && aba === 'atendimento' && waitingCount > 0
  return (
    <li>
      <Link
        to="/dashboard"
        search={{ aba }}
        className={ITEM_CLASS}
        aria-current={aba === current ? 'page' : undefined}
        activeProps={{}}
        title={folded ? title : undefined}
        onClick={onGo}
      >
        <span className="relative flex-none">
          <Icon aria-hidden className="size-4.5" />
          {folded && waiting && (
            <span aria-hidden className="absolute -top-0.5 -right-1 size-2 rounded-full bg-danger" />
          )}
        </span>
        <span className={folded ? 'sr-only' : undefined}>{title}</span>
        {!permitted && (
          <span className={folded ? 'sr-only' : 'ml-auto'}>
            <Lock aria-hidden className="size-4" />
            <span className="sr-only"> (sem permissão)</span>
          </span>
        )}
        {waiting && (
          <Chip tone="vermelho" className={folded ? 'sr-only' : 'ml-auto tabular-nums'}>
            {waitingCount}
            <span className="sr-only"> aguardando</span>
          </Chip>
        )}
      </Link>
    </li>
  )
}

export function Navigation({ painel, folded, onGo }: NavigationProps) {
  const { viewer, aba: current, usuario, hasSimulador } = painel
  return (
    <nav aria-label="Seções do painel">
      <ul className="grid gap-0.5">
        {tabsOf(viewer).map((aba) => (
          <TabItem key={aba} {...{ aba, painel, folded, onGo }} />
        ))}
        {hasSimulador && (
          <ExternalItem to="/simulador" icon={Smartphone} folded={folded}>
            Simulador
          </ExternalItem>
        )}
        {usuario.tipo === 'admin' && (
          <ExternalItem to="/admin" icon={ShieldCheck} folded={folded}>
            Administração
          </ExternalItem>
        )}
        <ExternalItem to={`/ajuda/${current}`} icon={Info} folded={folded}>
          Ajuda
        </ExternalItem>
        {usuario.plano === 'doacao' && !folded && (
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
  /** Only icons, on wide screens. */
  readonly folded: boolean
  readonly onFold: (folded: boolean) => void
  readonly onClose: () => void
}

interface MenuHeadProps extends Pick<SideMenuProps, 'drawer' | 'folded' | 'onFold' | 'onClose'> {
  readonly close?: RefObject<HTMLButtonElement | null>
}

export function MenuHead({ drawer, folded, onFold, onClose, close }: MenuHeadProps) {
  const name = folded ? 'Abrir o menu' : 'Dobrar o menu'
  return (
    <div className={`flex items-center pt-1 ${folded ? 'justify-center' : 'justify-between px-2'}`}>
      {!folded && <Logo />}
      {!drawer && (
        <IconButton
          label={name}
          tooltip="native"
          aria-expanded={!folded}
          icon={<PanelLeft aria-hidden className="size-4.5" />}
          onClick={() => onFold(!folded)}
        />
      )}
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
  )
}

export function SideMenu({ painel, drawer, open, folded, onFold, onClose }: SideMenuProps) {
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
      data-wide={folded ? undefined : ''}
      aria-label="Menu"
      inert={hidden}
      className={`fixed top-0 bottom-(--rodape) left-0 z-40 flex w-[min(17rem,86vw)] flex-col gap-3 border-r bg-surface ${folded ? 'p-2' : 'p-3'} transition-[translate] duration-200 ease-out-soft lg:sticky lg:top-0 lg:z-auto lg:h-(--altura) lg:w-auto ${hidden ? '-translate-x-full' : ''}`}
    >
      <MenuHead {...{ drawer, folded, onFold, onClose, close }} />
      <div className="menu-rolagem relative -mx-3 flex min-h-0 flex-1 flex-col overflow-x-hidden overflow-y-auto overscroll-contain px-3 py-1">
        <Navigation painel={painel} folded={folded} onGo={onClose} />
        {!folded && (
          <Suspense>
            <MenuFooter painel={painel} />
          </Suspense>
        )}
      </div>
      {folded ? (
        <LogoutButton onLogout={painel.logout} />
      ) : (
        <UserCard usuario={painel.usuario} limits={painel.limits} onLogout={painel.logout} />
      )}
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

function LogoutButton({ onLogout }: Pick<UserCardProps, 'onLogout'>) {
  return (
    <IconButton label="Sair" tooltip="native" icon={<LogOut aria-hidden className="size-4.5" />} onClick={onLogout} />
  )
}

function UserCard({ usuario, limits, onLogout }: UserCardProps) {
  const initial = initialOf(usuario.nome.trim() || usuario.email)
  return (
    <div className="menu-cartao flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card bg-sunken p-2.5">
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
      <LogoutButton onLogout={onLogout} />
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
