import { setImmediate as pause } from 'node:timers/promises'

/** Runs long work that yields between slices, and lets other work run after each slice. */
export async function runSliced<T>(work: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await pause()
  }
}
