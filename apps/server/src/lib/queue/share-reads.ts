const shared = new WeakSet<object>()

export const isSharedRead = (result: object): boolean => shared.has(result)

interface RunningRead<T> {
  readonly current: Promise<T>
  next: Promise<T> | null
}

/**
 * Returns a function that joins equal reads. Calls during a read wait for its end and share the next read, which
 * therefore includes everything saved before them. Fifty simultaneous calls cost two reads. `key` must start with
 * the contaId.
 */
export function createSharedReads<T extends object>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const reads = new Map<string, RunningRead<T>>()

  const start = (key: string, read: () => Promise<T>): Promise<T> => {
    const current = read()
    const running: RunningRead<T> = { current, next: null }
    reads.set(key, running)
    const finish = (): void => {
      if (running.next === null) reads.delete(key)
    }
    current.then((parsed) => {
      shared.add(parsed)
      finish()
    }, finish)
    return current
  }

  return (key, read) => {
    const running = reads.get(key)
    if (running === undefined) return start(key, read)
    const readNext = (): Promise<T> => start(key, read)
    running.next ??= running.current.then(readNext, readNext)
    return running.next
  }
}
