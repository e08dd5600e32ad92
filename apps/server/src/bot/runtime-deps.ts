import type { Midia } from '@balcao/contract/entities/mensagem'
import type { Deps } from '#deps.ts'
import type { Ai, LerMidia } from '#ports/ai.ts'
import type { Bus } from '#ports/bus.ts'
import type { Connectors, SessionHost, TelefoneSimulado } from '#ports/messaging.ts'
import type { Falha } from './falha.ts'

/** The files that messages carry. */
export interface ArquivosDoBot {
  readonly guardar: (contaId: string, bytes: Uint8Array, nome: string) => Promise<Midia>
  readonly ler: (contaId: string, url: string) => ReturnType<SessionHost['lerMidia']>
}

/** What the bot runtime is built from: the shared deps and what only it needs. */
export interface BotDeps extends Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'cofre' | 'realtime' | 'settings'> {
  readonly bus: Bus
  readonly ai: Ai
  /** Absent: the AI is never given pictures nor recordings. */
  readonly lerMidia?: LerMidia
  /** Absent: files of messages are neither kept nor sent. */
  readonly arquivos?: ArquivosDoBot
  readonly connectors: Connectors
  readonly telefone: TelefoneSimulado
  /** Erases what connectors keep of an account's link outside the database, where no session of it runs here. */
  readonly esquecerFora?: (contaId: string) => Promise<void>
  readonly falha: Falha
  /** This process among the nodes: new at every start. */
  readonly no: string
  /** No other process can run on this database: leases of a dead one are taken at once. */
  readonly exclusivo: boolean
  readonly tempos?: TemposBot
}

/** Tests shorten these; everybody else leaves them alone. */
export interface TemposBot {
  readonly renovarMs?: number
  readonly procurarMs?: number
  readonly avisarMs?: number
  /** Waits between attempts of one send. */
  readonly esperasMs?: readonly number[]
}
