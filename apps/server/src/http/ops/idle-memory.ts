import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { every, type PeriodicTask } from '#lib/every.ts'

const INTERVAL_MS = 5_000
const IDLE_MAX = 0.02
const GROWTH_BYTES = 32 * 2 ** 20

interface Heap {
  /** Bytes that V8 reserved, garbage and free pages included. */
  readonly reserved: () => number
  readonly busy: () => number
  /** Collects all garbage and shrinks the heap. Blocks the process for some tenths of a second on a busy machine. */
  readonly collect: () => void
}

/**
 * Collects garbage when the process is idle after a burst. V8 collects while the heap grows, and an idle heap does not
 * grow: after 70,000 messages an idle process kept 200 MB of garbage. Small growth is left alone, so a process with few
 * messages is never stopped for it.
 */
export class IdleCollector {
  readonly #heap: Heap
  /** Smallest size since the last collection. 0 at first, because the start itself leaves garbage. */
  #floor = 0

  constructor(heap: Heap = nodeHeap()) {
    this.#heap = heap
  }

  round(): void {
    const busy = this.#heap.busy()
    this.#floor = Math.min(this.#floor, this.#heap.reserved())
    if (busy > IDLE_MAX || this.#heap.reserved() - this.#floor < GROWTH_BYTES) return
    this.#heap.collect()
    this.#floor = this.#heap.reserved()
  }
}

/** Starts the collector of this process. Its timer does not keep the process running. */
export function collectWhenIdle(log: Pick<Console, 'warn'>, ms = INTERVAL_MS): PeriodicTask {
  const collector = new IdleCollector()
  return every({
    ms,
    task: () => collector.round(),
    failed: (error) => log.warn({ err: error }, 'idle memory not collected'),
  })
}

function nodeHeap(): Heap {
  let before = performance.eventLoopUtilization()
  return {
    reserved: () => process.memoryUsage().heapTotal,
    busy: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
    collect: collectAll,
  }
}

/** The context with the collector is created for each call, because it would add 5 MB to the start. */
function collectAll(): void {
  // Node has no other access to the collector without an option of its command line.
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  // The flavor `regular` keeps the pages of the young generation.
  if (typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
