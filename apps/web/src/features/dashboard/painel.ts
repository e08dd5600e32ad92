import type { Aba } from '@balcao/contract/constants'
import type { Usuario } from '@balcao/contract/entities/usuario'
import type { BotStatusLido } from '#shared/dados/bot-status.ts'
import type { ConfigLida } from '#shared/dados/config.ts'
import type { EstadoSocket } from '#shared/socket.ts'
import type { QuemOlha } from './abas.ts'
import type { AcoesRapidas } from './acoes-rapidas.ts'

export interface Painel {
  readonly usuario: Usuario
  readonly quem: QuemOlha
  readonly aba: Aba
  readonly bot: BotStatusLido
  readonly config: ConfigLida
  readonly socket: EstadoSocket
  /** Null while unknown, and for administrators, who have no limit. */
  readonly uso: { readonly usado: number; readonly limite: number } | null
  readonly aguardando: number
  readonly acoes: AcoesRapidas
  readonly pedirLimpeza: () => void
  readonly sair: () => void
  /** The account uses the simulador and this user may open it. */
  readonly temSimulador: boolean
}
