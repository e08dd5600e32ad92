/** Lets a person's pace through: a few messages at once, then some a second. Bursts of a machine get numbers banned. */
export interface Ritmo {
  /** Resolves when the next message may leave, in the order of asking. */
  readonly vez: () => Promise<void>
}

export interface RitmoOptions {
  /** Messages that may leave at once after a silence. */
  readonly folego?: number
  readonly porSegundo?: number
}

export function createRitmo({ folego = 20, porSegundo = 5 }: RitmoOptions = {}): Ritmo {
  const intervaloMs = 1_000 / porSegundo
  let proxima = 0
  return {
    vez: async () => {
      const agora = performance.now()
      proxima = Math.max(proxima + intervaloMs, agora - (folego - 1) * intervaloMs)
      const esperar = proxima - agora
      if (esperar > 0) await new Promise((resolve) => setTimeout(resolve, esperar))
    },
  }
}
