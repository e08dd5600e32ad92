import { setTimeout as sleep } from 'node:timers/promises'

const WORK_MS = 10
/** Rest for each millisecond of work. */
const REST = 5

/** Sleeps if at least 10 ms of work were done since the last rest, so that other requests are answered as usual. */
export type Pace = () => Promise<void>

/** Creates the pace of one import, whose work begins with this call. */
export function createPace(): Pace {
  let start = performance.now()
  return async () => {
    const worked = performance.now() - start
    if (worked < WORK_MS) return
    await sleep(worked * REST)
    start = performance.now()
  }
}
