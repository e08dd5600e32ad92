const FOLEGO = 20
const INTERVALO_MS = 200

/** A person's pace: a few messages at once, then some a second. Resolves when the next may leave, in the order of asking. */
export function createRitmo(): () => Promise<void> {
  let proxima = 0
  return async () => {
    const agora = performance.now()
    proxima = Math.max(proxima + INTERVALO_MS, agora - (FOLEGO - 1) * INTERVALO_MS)
    const esperar = proxima - agora
    if (esperar > 0) await new Promise((resolve) => setTimeout(resolve, esperar))
  }
}
