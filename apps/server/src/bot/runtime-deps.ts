import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Deps } from '#deps.ts'
import type { Ai, LerMidia } from '#ports/ai.ts'
import type { Bus } from '#ports/bus.ts'
import type { Connectors, SessionHost, TelefoneSimulado } from '#ports/messaging.ts'
import type { Falha } from './falha.ts'

export interface ArquivosDoBot {
  readonly guardar: (contaId: string, bytes: Uint8Array, nome: string) => Promise<Midia>
  readonly ler: (contaId: string, url: string) => ReturnType<SessionHost['lerMidia']>
}

export interface BotDeps extends Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'cofre' | 'realtime' | 'settings'> {
  readonly bus: Bus
  readonly ai: Ai
  /** Absent: the AI gets neither images nor recordings. */
  readonly lerMidia?: LerMidia
  /** Absent: files are neither stored nor sent. */
  readonly arquivos?: ArquivosDoBot
  readonly connectors: Connectors
  readonly telefone: TelefoneSimulado
  /**
   * Deletes a conta's link data outside the database, such as a browser profile. Called while no session runs on
   * this node.
   */
  readonly esquecerFora?: (contaId: string) => Promise<void>
  readonly falha: Falha
  /** Id of this process among the nodes, new at every start. */
  readonly no: string
  /** No other process uses this database, so leases of a dead process are taken immediately. */
  readonly exclusivo: boolean
  readonly tempos?: TemposBot
}

export interface TemposBot {
  readonly renovarMs?: number
  readonly procurarMs?: number
  readonly avisarMs?: number
  readonly esperasMs?: readonly number[]
}
