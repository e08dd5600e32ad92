import { vi } from 'vitest'

/** Until what is expected holds, however slow the machine: only the test's own limit ends what never will. */
export function quando(cumprido: () => void): Promise<void> {
  return vi.waitFor(cumprido, { timeout: 50_000, interval: 20 })
}

/** Sends until the server confirmed it, as the outbox does: on a slow machine that may take longer than it is waited for. */
export async function quandoSair(enviar: () => Promise<unknown>): Promise<void> {
  for (let feita = false; !feita;) {
    feita = await enviar().then(
      () => true,
      () => false,
    )
    if (!feita) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
