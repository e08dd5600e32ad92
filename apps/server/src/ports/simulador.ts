import type { InboundMessage } from '@balcao/connector/port'
import type { LineKey } from './bots.ts'

/** The simulated customer phone, on whichever node runs the session. Refusals are `AppError`. */
export interface Simulador {
  /** Scans the current QR code. Resolves when the bot is connected. Throws `semQrCode` without a code. */
  readonly scan: (line: LineKey) => Promise<void>
  /** Unlinks the phone. Throws `botDesconectado` when none is connected. */
  readonly disconnect: (line: LineKey) => Promise<void>
  readonly failSends: (line: LineKey, envios: number) => Promise<void>
  readonly type: (line: LineKey, telefone: string) => Promise<void>
  /** Resolves when the message is stored. Throws `botDesconectado` when the bot is not connected. */
  readonly receive: (line: LineKey, mensagem: InboundMessage) => Promise<void>
}

export type PhoneOrder =
  | { readonly act: 'check' | 'scan' | 'disconnect' }
  | { readonly act: 'failSends'; readonly count: number }
  | { readonly act: 'type'; readonly telefone: string }

/**
 * Runs an order on the simulated phone of this node. Returns false when this node has no phone of the line, or when
 * the phone cannot obey: `scan` without a QR code, anything else but `failSends` without a connection.
 */
export type SimulatedPhones = (line: LineKey, order: PhoneOrder) => Promise<boolean>
