import { onTestFinished, vi } from 'vitest'

const SHORTEST_MS = 500
const LONGEST_MS = 5_000
const FACTOR = 20

/**
 * Shortens the waits of the panel until the end of the test: a timer of 0.5 s to 5 s fires after a twentieth. Shorter
 * timers pace the input of a person and longer ones are limits. Call it before the panel opens, because the socket
 * client keeps the function that it finds. `expect.poll` and the limits of the tests use the real clock.
 */
export function shortenWaits(): void {
  const { setTimeout: real } = globalThis
  const shortened = vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, delay = 0, ...args) => {
    const waits = delay >= SHORTEST_MS && delay <= LONGEST_MS
    return real(run, waits ? delay / FACTOR : delay, ...args)
  })
  onTestFinished(() => shortened.mockRestore())
}
