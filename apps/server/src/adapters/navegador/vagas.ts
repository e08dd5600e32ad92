import { totalmem } from 'node:os'

/** Limits the number of browsers on this machine; each holds hundreds of megabytes. */
export interface Vagas {
  /** Returns the release function, or null when the limit is reached. Releasing twice has no effect. */
  readonly tomar: () => (() => void) | null
}

/** About 500 MB for the browser, the rest for the server's work. */
const BYTES_POR_SESSAO = 600 * 2 ** 20

export function createVagas(maximo = vagasDaMaquina()): Vagas {
  let tomadas = 0
  return {
    tomar: () => {
      if (tomadas >= maximo) return null
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
function vagasDaMaquina(): number {
  const limite = process.constrainedMemory()
  const memoria = limite > 0 && limite < totalmem() ? limite : totalmem()
  return Math.max(1, Math.floor(memoria / BYTES_POR_SESSAO))
}
