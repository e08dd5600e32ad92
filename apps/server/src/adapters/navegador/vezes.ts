/** One session of an account at a time has its browser: the next waits until the one before has ended it. */
export interface Vezes {
  /** Resolves when it is this one's turn, with what gives the turn back. */
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
