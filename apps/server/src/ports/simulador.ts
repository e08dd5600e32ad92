import type { InboundMessage } from './messaging.ts'

/** The customer's phone of the embedded simulator, whichever node runs the session. Refusals are `AppError`. */
export interface Simulador {
  /** Scans the code that is shown now; resolves when the bot is connected. `semQrCode` without one. */
  readonly escanear: (contaId: string) => Promise<void>
  /** The phone drops the link. `botDesconectado` when there is none. */
  readonly desconectar: (contaId: string) => Promise<void>
  readonly falharEnvios: (contaId: string, envios: number) => Promise<void>
  /** The customer with this phone is writing: shown beside an open conversation, and forgotten. */
  readonly digitar: (contaId: string, telefone: string) => Promise<void>
  /** Resolves once the message is stored for good. `botDesconectado` unless the bot is connected. */
  readonly receber: (contaId: string, mensagem: InboundMessage) => Promise<void>
}
