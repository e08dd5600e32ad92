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
  let shown = 0
  let fim: NodeJS.Timeout | undefined
  const wait = (ms: number): void => {
    clearTimeout(fim)
    fim = setTimeout(onExpired, ms)
  }
  return {
    next: () => {
      shown += 1
      if (shown > MAX_CODES) return null
      const ms = lifetimeMs ?? (shown === 1 ? FIRST_CODE_MS : OTHER_CODE_MS)
      wait(ms + GRACE_MS)
      return ms
    },
    extend: wait,
    isShowing: () => shown > 0,
    stop: () => {
      clearTimeout(fim)
      shown = 0
    },
  }
}
