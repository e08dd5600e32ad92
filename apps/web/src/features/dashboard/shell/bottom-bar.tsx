import type { Aba } from '@balcao/contract/constants'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Lock } from 'lucide-react'
import { tabsOf, TAB_DESCRIPTION, canView } from './tab-list.ts'
import type { DashboardState } from './use-dashboard-state.ts'

/** The tabs of a phone's bar, when not all fit. The menu has the others. */
const PHONE_TABS: readonly Aba[] = ['geral', 'mensagens', 'atendimento', 'contatos']
const PHONE_TABS_MAX = 5

const BOTTOM_CLASS =
  'flex min-h-14 min-w-0 flex-col items-center justify-center gap-0.5 text-[0.69rem] font-semibold text-muted max-[22.5rem]:text-[0.63rem] max-[22.5rem]:tracking-tight aria-[current=page]:text-brand-ink'

interface BottomBarProps {
  readonly painel: DashboardState
  readonly onOpenMenu: () => void
}

export function BottomBar({ painel: { viewer, aba: current, waitingCount }, onOpenMenu }: BottomBarProps) {
  const all = tabsOf(viewer)
  if (all.length < 2) return null
  const fits = all.length <= PHONE_TABS_MAX
  const tabs = fits ? all : all.filter((aba) => PHONE_TABS.includes(aba))
  return (
    <nav
      aria-label="Abas"
      // An open chat needs the phone's full height and has its own back button.
      className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t bg-surface pb-[env(safe-area-inset-bottom)] in-[body:has([data-conversa-aberta])]:hidden lg:hidden"
    >
      {tabs.map((aba) => {
        const { title, icon: Icon } = TAB_DESCRIPTION[aba]
        const waiting = aba === 'atendimento' && canView(viewer, aba) && waitingCount > 0
        return (
          <Link
            key={aba}
            to="/dashboard"
            search={{ aba }}
            aria-current={aba === current ? 'page' : undefined}
            activeProps={{}}
            title={title}
            className={BOTTOM_CLASS}
          >
            <span className="relative">
              <Icon aria-hidden className="size-5" />
              {!canView(viewer, aba) && (
                <Lock aria-hidden className="absolute -top-1 -right-2 size-3 rounded-full bg-surface" />
              )}
              {waiting && (
                <span
                  aria-hidden
                  className="absolute -top-1 left-3 min-w-5 rounded-full bg-danger-soft px-1.5 text-center text-xs leading-5 font-bold text-danger-ink tabular-nums"
                >
                  {waitingCount > 99 ? '99+' : waitingCount}
                </span>
              )}
            </span>
            <span className="max-w-full truncate">
              {title}
              {waiting && <span className="sr-only">, {waitingCount} aguardando</span>}
              {!canView(viewer, aba) && <span className="sr-only"> (sem permissão)</span>}
            </span>
          </Link>
        )
      })}
      {!fits && (
        <button
          type="button"
          aria-haspopup="menu"
          aria-current={tabs.includes(current) ? undefined : 'page'}
          className={BOTTOM_CLASS}
          onClick={onOpenMenu}
        >
          <Ellipsis aria-hidden className="size-5" />
          Mais
        </button>
      )}
    </nav>
  )
}
