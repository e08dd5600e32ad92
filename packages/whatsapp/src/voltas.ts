export interface Voltas {
  readonly abriu: () => void
  /**
   * Call after a close. Returns the situation before it: a replacement within ten minutes, and a restart since the
   * last stable connection.
   */
  readonly fechou: (codigo: number | undefined) => {
    readonly substituidoDeNovo: boolean
    readonly reabertoDeNovo: boolean
  }
  /** Number of the next attempt, from 0. Resets after a stable connection. */
  readonly proxima: () => number
}

/** Two replacements within this time mean that another device really uses our credentials. */
const SUBSTITUICAO_MS = 10 * 60_000
/**
 * A connection that closes sooner was not stable: a server that accepts and drops us must not be called every
 * second.
 */
const FIRME_MS = 30_000

/** `agora` is a monotonic clock in milliseconds. */
export function createVoltas(firmeMs = FIRME_MS, agora = (): number => performance.now()): Voltas {
  let tentativas = 0
  let reaberto = false
  let abertaEm: number | null = null
  let substituidaEm = -Infinity
  return {
    abriu: () => (abertaEm = agora()),
    fechou: (codigo) => {
      const em = agora()
      if (abertaEm !== null && em - abertaEm >= firmeMs) {
        tentativas = 0
        reaberto = false
      }
      abertaEm = null
      const antes = { substituidoDeNovo: em - substituidaEm < SUBSTITUICAO_MS, reabertoDeNovo: reaberto }
      if (codigo === 440) substituidaEm = em
      if (codigo === 515) reaberto = true
      return antes
    },
    proxima: () => tentativas++,
  }
}
