import type { InboundMessage } from '@balcao/connector/port'

/** The simulated customer phone, on whichever node runs the session. Refusals are `AppError`. */
export interface Simulador {
  /**
   * Scans the current QR code. Resolves when the bot is connected, or when the command was sent to another node.
   * Throws `semQrCode` without a code.
   */
  readonly scan: (contaId: string) => Promise<void>
  /** Unlinks the phone. Throws `botDesconectado` when none is connected. */
  readonly disconnect: (contaId: string) => Promise<void>
  readonly failSends: (contaId: string, envios: number) => Promise<void>
  readonly type: (contaId: string, telefone: string) => Promise<void>
  /** Resolves when the message is stored. Throws `botDesconectado` when the bot is not connected. */
  readonly receive: (contaId: string, mensagem: InboundMessage) => Promise<void>
}

/** Phone of the embedded simulator. Each method returns false when this node has no such phone. */
export interface SimulatedPhone {
  /** Scans the current QR code and resolves when connected. Returns false without a code. */
  readonly escanear: (contaId: string) => Promise<boolean>
  readonly desconectar: (contaId: string) => Promise<boolean>
  readonly failSends: (contaId: string, envios: number) => boolean
  readonly type: (contaId: string, telefone: string) => boolean
}
