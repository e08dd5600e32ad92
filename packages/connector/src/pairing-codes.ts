import type { LinkState } from './port.ts'

export interface PairingCodesOptions {
  readonly publish: (state: LinkState) => void
  readonly now: () => Date
  /** Lifetime of every code, in ms. Default: 60 s for the first code, 20 s for the next ones. */
  readonly lifetimeMs?: number | undefined
  readonly max?: number
  /** Runs `graceMs` after the end of the code on screen, unless another code is shown or the pairing is stopped. */
  readonly onExpired?: () => void
  readonly graceMs?: number
}

const FIRST_MS = 60_000
const NEXT_MS = 20_000

/** QR codes of one pairing, shown one after the other until a scan or a timeout. */
export class PairingCodes {
  readonly #options: PairingCodesOptions
  #shown = 0
  #left = 0
  #expiresAt = new Date(0)
  #lastExpiresAt = new Date(0)
  #timer: NodeJS.Timeout | undefined

  constructor(options: PairingCodesOptions) {
    this.#options = options
  }

  /** A pairing is in progress: a code was shown and the pairing was not stopped. */
  get isShowing(): boolean {
    return this.#shown > 0
  }

  /** The service announced no code after the one on screen. */
  get isLast(): boolean {
    return this.#shown > 0 && this.#left <= 0
  }

  get lastExpiresAt(): Date {
    return this.#lastExpiresAt
  }

  /** Shows the next code; `left` is the number of codes after it. Returns false, without a code, after `max` codes. */
  show(qrCode: string, left = 0): boolean {
    const { publish, now, lifetimeMs, max = Infinity, onExpired, graceMs = 0 } = this.#options
    if (this.#shown >= max) return false
    const ms = lifetimeMs ?? (this.#shown === 0 ? FIRST_MS : NEXT_MS)
    this.#shown += 1
    this.#left = left
    this.#expiresAt = new Date(now().getTime() + ms)
    this.#lastExpiresAt = new Date(this.#expiresAt.getTime() + Math.max(0, left) * (lifetimeMs ?? NEXT_MS))
    if (onExpired !== undefined) this.extend(ms + graceMs)
    publish({ tipo: 'pareando', qrCode, expiraEm: this.#expiresAt })
    return true
  }

  /** Replaces the code on screen without extending its expiry. */
  replace(qrCode: string): void {
    this.#options.publish({ tipo: 'pareando', qrCode, expiraEm: this.#expiresAt })
  }

  /** Runs `onExpired` after `ms` instead, for example while a phone waits for a typed code. */
  extend(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#options.onExpired?.(), ms)
  }

  /** Ends the pairing. The next code is the first one of a new pairing. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#shown = 0
  }
}
