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
export function createSharedReads<T extends object>(): (chave: string, ler: () => Promise<T>) => Promise<T> {
  const vezes = new Map<string, RunningRead<T>>()

  const start = (chave: string, ler: () => Promise<T>): Promise<T> => {
    const atual = ler()
    const vez: RunningRead<T> = { current: atual, next: null }
    vezes.set(chave, vez)
    const over = (): void => {
      if (vez.next === null) vezes.delete(chave)
    }
    atual.then((lido) => {
      shared.add(lido)
      over()
    }, over)
    return atual
  }

  return (chave, ler) => {
    const vez = vezes.get(chave)
    if (vez === undefined) return start(chave, ler)
    const seguir = (): Promise<T> => start(chave, ler)
    vez.next ??= vez.current.then(seguir, seguir)
    return vez.next
  }
}
