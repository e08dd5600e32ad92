/** How often a session came back, and how well that went. */
export interface Voltas {
  readonly abriu: () => void
  /** A line is over. What came before it says whether to come back at once. */
  readonly fechou: (codigo: number | undefined) => {
    /** Another connection pushed us out, and had done so a short while ago. */
    readonly substituidoDeNovo: boolean
    /** We came back at once, and no line stood since. */
    readonly reabertoDeNovo: boolean
  }
  /** The number of the next attempt, from 0: how long to wait before it grows until a line stands. */
  readonly proxima: () => number
}

/** Pushed out twice within this time: somebody else really has our credentials. */
const SUBSTITUICAO_MS = 10 * 60_000
/** A line that falls sooner did not stand: a server that takes us in and throws us out must not be asked each second. */
const FIRME_MS = 30_000

/** Milliseconds of a clock that never goes back. */
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
