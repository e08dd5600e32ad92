import type { Aba } from '@balcao/contract/constants'
import type { Usuario } from '@balcao/contract/entities/usuario'
import type { BotStatusLido } from '#shared/dados/bot-status.ts'
import type { ConfigLida } from '#shared/dados/config.ts'
import type { EstadoSocket } from '#shared/socket.ts'
import type { QuemOlha } from './abas.ts'
import type { AcoesRapidas } from './acoes-rapidas.ts'

/** What the shell's parts show and may do; made once by `usePainel`. */
export interface Painel {
  readonly usuario: Usuario
  readonly quem: QuemOlha
  readonly aba: Aba
  readonly bot: BotStatusLido
  readonly config: ConfigLida
  readonly socket: EstadoSocket
  /** Null for administrators, who have no limit, and while unknown. */
  readonly uso: { readonly usado: number; readonly limite: number } | null
  /** Human conversations that wait. */
  readonly aguardando: number
  readonly acoes: AcoesRapidas
  readonly pedirLimpeza: () => void
  readonly sair: () => void
  /** The simulated phone exists for this account and this user may use it. */
  readonly temSimulador: boolean
}
