import PQueue from 'p-queue'

/** Limits parallel work. A bounded number of callers wait; further callers are rejected. */
export interface Gate {
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
}

/** `full` builds the error for a caller that finds the queue full. */
export function createGate(options: {
  readonly atOnce: number
  readonly waiting: number
  readonly full: () => Error
}): Gate {
  const queue = new PQueue({ concurrency: options.atOnce })
  return {
    run: async (work) => {
      if (queue.size >= options.waiting) throw options.full()
      return queue.add(work)
    },
  }
}
