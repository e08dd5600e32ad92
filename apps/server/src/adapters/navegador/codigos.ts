/** QR codes of one pairing, shown in turn until a scan or a timeout. */
export interface PairingCodes {
  /** Counts a new code and returns its lifetime in ms, or null when the maximum was reached. */
  readonly next: () => number | null
  readonly extend: (ms: number) => void
  readonly isShowing: () => boolean
  readonly stop: () => void
}

const FIRST_CODE_MS = 60_000
const OTHER_CODE_MS = 20_000
const MAX_CODES = 6
const GRACE_MS = 15_000

export function createPairingCodes(onExpired: () => void, lifetimeMs?: number): PairingCodes {
  let mostrados = 0
  let fim: NodeJS.Timeout | undefined
  const esperar = (ms: number): void => {
    clearTimeout(fim)
    fim = setTimeout(onExpired, ms)
  }
  return {
    next: () => {
      mostrados += 1
      if (mostrados > MAX_CODES) return null
      const ms = lifetimeMs ?? (mostrados === 1 ? FIRST_CODE_MS : OTHER_CODE_MS)
      esperar(ms + GRACE_MS)
      return ms
    },
    extend: esperar,
    isShowing: () => mostrados > 0,
    stop: () => {
      clearTimeout(fim)
      mostrados = 0
    },
  }
}
