/** Meta takes eighty messages a second from a number; we ask for half, and for nothing while it asks us to wait. */
export interface Ritmo {
  /** Resolves when the next message may leave, in the order of asking. */
  readonly vez: () => Promise<void>
  /** Milliseconds that nobody may ask for anything; 0 most of the time. */
  readonly pausaMs: () => number
  readonly pausar: (ms: number) => void
}

const FOLEGO = 40
const INTERVALO_MS = 25

export function createRitmo(): Ritmo {
  let proxima = 0
  let pausadoAte = 0
  return {
    vez: async () => {
      const agora = performance.now()
      proxima = Math.max(proxima + INTERVALO_MS, agora - (FOLEGO - 1) * INTERVALO_MS)
      const esperar = proxima - agora
      if (esperar > 0) await new Promise((resolve) => setTimeout(resolve, esperar))
    },
    pausaMs: () => Math.max(0, pausadoAte - performance.now()),
    pausar: (ms) => {
      pausadoAte = Math.max(pausadoAte, performance.now() + ms)
    },
  }
}
