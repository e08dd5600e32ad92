import { totalmem } from 'node:os'

/** How many browsers this machine bears at a time: each keeps hundreds of megabytes for as long as it runs. */
export interface Vagas {
  /** Null when there is no room. What it returns gives the place back; calling it again does nothing. */
  readonly tomar: () => (() => void) | null
}

/** Half a gigabyte for the browser and its page, and the rest of the machine's work beside it. */
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

/** At least one: who chose this connector on a small machine knows best. A container's limit counts, not the host's memory. */
function vagasDaMaquina(): number {
  const limite = process.constrainedMemory()
  const memoria = limite > 0 && limite < totalmem() ? limite : totalmem()
  return Math.max(1, Math.floor(memoria / BYTES_POR_SESSAO))
}
