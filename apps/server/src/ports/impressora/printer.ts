export interface PrinterAddress {
  readonly endereco: string
  readonly porta: number
}

/** Thermal printers in the network of a shop. */
export interface Printer {
  /** False: the administrator allows no network, and `print` refuses every address. */
  readonly enabled: boolean
  /**
   * Resolves when the printer accepted all bytes. Rejects with `PrinterRefused` for an address that is not allowed, and
   * with `PrinterSilent` after at most 2 s.
   */
  readonly print: (to: PrinterAddress, bytes: Uint8Array) => Promise<void>
}

export class PrinterRefused extends Error {}

export class PrinterSilent extends Error {
  /** A part of the bytes may be on paper. */
  readonly began: boolean

  constructor(began: boolean, cause?: unknown) {
    super('printer does not answer', { cause })
    this.began = began
  }
}
