import { totalmem } from 'node:os'

/** Limits the number of browsers on this machine; each holds hundreds of megabytes. */
export interface BrowserSlots {
  /** Returns the release function, or null when the limit is reached. Releasing twice has no effect. */
  readonly take: () => (() => void) | null
}

/** About 500 MB for the browser, the rest for the server's work. */
const BYTES_PER_BROWSER = 600 * 2 ** 20

export function createBrowserSlots(max = machineSlots()): BrowserSlots {
  let tomadas = 0
  return {
    take: () => {
      if (tomadas >= max) return null
      tomadas += 1
      let minha = true
      return () => {
        if (minha) tomadas -= 1
        minha = false
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
  const memoria = limite > 0 && limite < totalmem() ? limite : totalmem()
  return Math.max(1, Math.floor(memoria / BYTES_PER_BROWSER))
}
