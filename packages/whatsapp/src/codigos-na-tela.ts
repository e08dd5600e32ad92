import type { LinkState } from './anfitriao.ts'

export interface QrCodes {
  readonly restart: () => void
  readonly shownAny: () => boolean
  /** True if the last code is on screen. */
  readonly isLast: () => boolean
  /** Shows the next code. `restam` is the number of codes after it. */
  readonly show: (qrCode: string, restam: number) => void
  /** Replaces the QR code on screen without extending its expiry. */
  readonly replace: (qrCode: string) => void
  readonly lastExpiresAt: () => Date
}

const FIRST_MS = 60_000
const NEXT_MS = 20_000

export function createQrCodes(publish: (estado: LinkState) => void, durationMs?: number): QrCodes {
  let quantos = 0
  let faltam = 0
  let expiraEm = new Date(0)
  let ultimo = new Date(0)
  return {
    restart: () => {
      quantos = 0
    },
    shownAny: () => quantos > 0,
    isLast: () => quantos > 0 && faltam <= 0,
    show: (qrCode, restam) => {
      expiraEm = new Date(Date.now() + (durationMs ?? (quantos === 0 ? FIRST_MS : NEXT_MS)))
      ultimo = new Date(expiraEm.getTime() + Math.max(0, restam) * (durationMs ?? NEXT_MS))
      quantos += 1
      faltam = restam
      publish({ tipo: 'pareando', qrCode, expiraEm })
    },
    replace: (qrCode) => publish({ tipo: 'pareando', qrCode, expiraEm }),
    lastExpiresAt: () => ultimo,
  }
}
