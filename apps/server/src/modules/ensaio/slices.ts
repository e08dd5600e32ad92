import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE_MS = 5

/** Returns a pause for loops that compute: after 5 ms of work it lets the event loop handle others. */
export function createSlices(now: () => number = () => performance.now()): () => Promise<void> {
  let started = now()
  return async () => {
    if (now() - started < SLICE_MS) return
    await nextTurn()
    started = now()
  }
}
