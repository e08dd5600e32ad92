import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { tabsOf, TAB_DESCRIPTION, canView } from './tab-list.ts'
import type { DashboardState } from './use-dashboard-state.ts'

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
