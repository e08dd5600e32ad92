const partilhados = new WeakSet<object>()

export const isShared = (resultado: object): boolean => partilhados.has(resultado)

interface Vez<T> {
  readonly atual: Promise<T>
  proxima: Promise<T> | null
}

/**
 * Returns a function that joins equal reads. Calls during a read wait for its end and share the next read, which
 * therefore includes everything saved before them. Fifty simultaneous calls cost two reads. `chave` must start with
 * the contaId.
 */
export function createSharedReads<T extends object>(): (chave: string, ler: () => Promise<T>) => Promise<T> {
  const vezes = new Map<string, Vez<T>>()

  const start = (chave: string, ler: () => Promise<T>): Promise<T> => {
    const atual = ler()
    const vez: Vez<T> = { atual, proxima: null }
    vezes.set(chave, vez)
    const over = (): void => {
      if (vez.proxima === null) vezes.delete(chave)
    }
    atual.then((lido) => {
      partilhados.add(lido)
      over()
    }, over)
    return atual
  }

  return (chave, ler) => {
    const vez = vezes.get(chave)
    if (vez === undefined) return start(chave, ler)
    const seguir = (): Promise<T> => start(chave, ler)
    vez.proxima ??= vez.atual.then(seguir, seguir)
    return vez.proxima
  }
}
