const partilhados = new WeakSet<object>()

/** Whether this answer was read for several at once: nobody may change it, and it is written once. */
export const isShared = (resultado: object): boolean => partilhados.has(resultado)

interface Vez<T> {
  readonly atual: Promise<T>
  /** Begins when `atual` ends. */
  proxima: Promise<T> | null
}

/**
 * Equal reads, asked while one is under way, wait for it to end and share the next: that one begins after each of them had
 * asked, so all of them see everything that was saved before. Fifty windows that look again at the same moment cost two
 * reads. `chave` says whose and what; it begins with the account.
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
