import PQueue from 'p-queue'

/** Runs `step` after the earlier steps of `key`, also after one that failed. Resolves and rejects as `step` does. */
export type KeyedQueue = <T>(key: string, step: () => Promise<T>) => Promise<T>

/** One queue per key, for example per person. A queue is dropped when it is idle. Steps of different keys run in parallel. */
export function keyedQueue(): KeyedQueue {
  const queues = new Map<string, PQueue>()
  const open = (key: string): PQueue => {
    const queue = new PQueue({ concurrency: 1 })
    queue.addEventListener('idle', () => queues.delete(key))
    queues.set(key, queue)
    return queue
  }
  return (key, step) => (queues.get(key) ?? open(key)).add(step)
}

/**
 * Like `keyedQueue`, for steps with several keys, such as the addresses of one person. A step runs after the earlier
 * steps of each of its keys.
 */
export function manyKeyedQueue(): <T>(keys: readonly string[], step: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (keys, step) => {
    const done = Promise.allSettled(keys.flatMap((key) => last.get(key) ?? [])).then(step)
    for (const key of keys) last.set(key, done)
    try {
      return await done
    } finally {
      for (const key of keys) if (last.get(key) === done) last.delete(key)
    }
  }
}

/** One queue for steps that must not overlap. A failed step does not stop the next one. */
export function serialQueue(): <T>(step: () => Promise<T>) => Promise<T> {
  const queue = new PQueue({ concurrency: 1 })
  return (step) => queue.add(step)
}

/**
 * Runs one attempt at a time per message. The queue may give up before a slow service answers and call again: the
 * second call then joins the running attempt.
 */
export function singleFlight(): (idExterno: string, attempt: () => Promise<void>) => Promise<void> {
  const inFlight = new Map<string, Promise<void>>()
  return (idExterno, attempt) => {
    const current = inFlight.get(idExterno) ?? attempt().finally(() => inFlight.delete(idExterno))
    inFlight.set(idExterno, current)
    return current
  }
}
