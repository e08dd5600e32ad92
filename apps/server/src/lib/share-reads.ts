const shared = new WeakSet<object>()

export const isSharedRead = (result: object): boolean => shared.has(result)

interface RunningRead<T> {
  readonly current: Promise<T>
  next: Promise<T> | null
}

/**
 * Returns a function that joins equal reads. Calls during a read wait for its end and share the next read, which
 * therefore includes everything saved before them. Fifty simultaneous calls cost two reads. `chave` must start with
 * the contaId.
 */
export function createSharedReads<T extends object>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const times = new Map<string, RunningRead<T>>()

  const start = (key: string, read: () => Promise<T>): Promise<T> => {
    const atual = read()
    const vez: RunningRead<T> = { current: atual, next: null }
    times.set(key, vez)
    const over = (): void => {
      if (vez.next === null) times.delete(key)
    }
    atual.then((parsed) => {
      shared.add(parsed)
      over()
    }, over)
    return atual
  }

  return (key, read) => {
    const vez = times.get(key)
    if (vez === undefined) return start(key, read)
    const seguir = (): Promise<T> => start(key, read)
    vez.next ??= vez.current.then(seguir, seguir)
    return vez.next
  }
}
