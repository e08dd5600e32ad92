import { setTimeout as sleep } from 'node:timers/promises'

const WORK_MS = 10
/** Rest for each millisecond of work. */
const REST = 5

/** Rests when some work was done, so that other requests are answered as usual. */
export type Pace = () => Promise<void>

/** The work begins now. */
export function createPace(): Pace {
  let start = performance.now()
  return async () => {
    const worked = performance.now() - start
    if (worked < WORK_MS) return
    await sleep(worked * REST)
    start = performance.now()
  }
}
