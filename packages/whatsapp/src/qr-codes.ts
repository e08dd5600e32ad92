import type { LinkState } from '@balcao/connector/port'

export interface QrCodes {
  readonly restart: () => void
  readonly shownAny: () => boolean
  /** True if the last code is on screen. */
  readonly isLast: () => boolean
  /** Shows the next code. `restam` is the number of codes after it. */
  readonly show: (qrCode: string, left: number) => void
  /** Replaces the QR code on screen without extending its expiry. */
  readonly replace: (qrCode: string) => void
  readonly lastExpiresAt: () => Date
}

const FIRST_MS = 60_000
const NEXT_MS = 20_000

export function createQrCodes(publish: (state: LinkState) => void, durationMs?: number): QrCodes {
  let count = 0
  let faltam = 0
  let expiraEm = new Date(0)
  let last = new Date(0)
  return {
    restart: () => {
      count = 0
    },
    shownAny: () => count > 0,
    isLast: () => count > 0 && faltam <= 0,
    show: (qrCode, left) => {
      expiraEm = new Date(Date.now() + (durationMs ?? (count === 0 ? FIRST_MS : NEXT_MS)))
      last = new Date(expiraEm.getTime() + Math.max(0, left) * (durationMs ?? NEXT_MS))
      count += 1
      faltam = left
      publish({ tipo: 'pareando', qrCode, expiraEm })
    },
    replace: (qrCode) => publish({ tipo: 'pareando', qrCode, expiraEm }),
    lastExpiresAt: () => last,
  }
}
