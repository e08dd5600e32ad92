import type { Aba } from '@balcao/contract/constants'
import type { Usuario } from '@balcao/contract/entities/usuario'
import type { BotStatusRead } from '#shared/data/bot-status.ts'
import type { ConfigRead } from '#shared/data/config/use-config.ts'
import type { SocketState } from '#shared/realtime/socket.ts'
import type { Viewer } from './tab-list.ts'
import type { QuickActions } from './quick-actions.ts'

export interface DashboardState {
  readonly usuario: Usuario
  readonly viewer: Viewer
  readonly aba: Aba
  readonly bot: BotStatusRead
  readonly config: ConfigRead
  readonly socket: SocketState
  /** Null while unknown, and for administrators, who have no limit. */
  readonly usage: { readonly usado: number; readonly limite: number } | null
  readonly waitingCount: number
  readonly actions: QuickActions
  readonly askClearSession: () => void
  readonly logout: () => void
  /** The account uses the simulador and this user may open it. */
  readonly hasSimulador: boolean
}
