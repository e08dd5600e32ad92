import { totalmem } from 'node:os'

/** Limits the number of browsers on this machine; each holds hundreds of megabytes. */
export interface BrowserSlots {
  /** Returns the release function, or null when the limit is reached. Releasing twice has no effect. */
  readonly take: () => (() => void) | null
}

/** About 500 MB for the browser, the rest for the server's work. */
const BYTES_PER_BROWSER = 600 * 2 ** 20

export function createBrowserSlots(max = machineSlots()): BrowserSlots {
  let taken = 0
  return {
    take: () => {
      if (taken >= max) return null
      taken += 1
      let mine = true
      return () => {
        if (mine) taken -= 1
        mine = false
      }
    },
  }
}

/**
 * At least one, because the administrator chose this connector. A container's limit counts before the host's
 * memory.
 */
function machineSlots(): number {
  const limite = process.constrainedMemory()
  const memory = limite > 0 && limite < totalmem() ? limite : totalmem()
  return Math.max(1, Math.floor(memory / BYTES_PER_BROWSER))
}
