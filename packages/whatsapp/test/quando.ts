import { vi } from 'vitest'

/** Waits until the expectation holds, at most 50 s, because test machines can be slow. */
export function quando(cumprido: () => void): Promise<void> {
  return vi.waitFor(cumprido, { timeout: 50_000, interval: 20 })
}

/** Retries a send until the server confirms it, like the outbox. On a slow machine one attempt may time out. */
export async function quandoSair(enviar: () => Promise<unknown>): Promise<void> {
  for (let feita = false; !feita;) {
    feita = await enviar().then(
      () => true,
      () => false,
    )
    if (!feita) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
