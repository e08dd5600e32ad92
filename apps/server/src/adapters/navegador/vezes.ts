/** One session per account holds the browser profile; the next waits until it is released. */
export interface Vezes {
  /** Resolves with the release function. */
  readonly tomar: (contaId: string) => Promise<() => void>
  readonly ocupada: (contaId: string) => boolean
}

export function createVezes(): Vezes {
  const filas = new Map<string, Promise<void>>()
  return {
    tomar: async (contaId) => {
      const anterior = filas.get(contaId)
      const { promise, resolve } = Promise.withResolvers<void>()
      filas.set(contaId, promise)
      await anterior
      return () => {
        resolve()
        if (filas.get(contaId) === promise) filas.delete(contaId)
      }
    },
    ocupada: (contaId) => filas.has(contaId),
  }
}
