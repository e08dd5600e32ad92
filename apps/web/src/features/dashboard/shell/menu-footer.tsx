import { DailyUsageBar } from './usage-bar.tsx'
import { ActionList } from './action-list.tsx'
import type { DashboardState } from './dashboard-state.ts'
import { SystemStatus } from './system-status.tsx'

export function MenuFooter({
  painel: { usage, bot, socket, viewer, actions, askClearSession },
}: {
  painel: DashboardState
}) {
  return (
    <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-4 pt-4">
      {usage !== null && <DailyUsageBar usado={usage.usado} limite={usage.limite} />}
      <SystemStatus bot={bot.bot} online={socket.tipo === 'online'} />
      {viewer.tipo !== 'operador' && <ActionList acoes={actions} onPedirLimpeza={askClearSession} />}
    </div>
  )
}
