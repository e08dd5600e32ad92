import { vi } from 'vitest'

/** Waits until the expectation holds, at most 50 s, because test machines can be slow. */
export function eventually(assertion: () => void): Promise<void> {
  return vi.waitFor(assertion, { timeout: 50_000, interval: 20 })
}

/** Retries a send until the server confirms it, like the outbox. On a slow machine one attempt may time out. */
export async function sendUntilConfirmed(send: () => Promise<unknown>): Promise<void> {
  for (let done = false; !done;) {
    done = await send().then(
      () => true,
      () => false,
    )
    if (!done) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
