/** One session per account holds the browser profile; the next waits until it is released. */
export interface ProfileLocks {
  /** Resolves with the release function. */
  readonly take: (contaId: string) => Promise<() => void>
  readonly isHeld: (contaId: string) => boolean
}

export function createProfileLocks(): ProfileLocks {
  const filas = new Map<string, Promise<void>>()
  return {
    take: async (contaId) => {
      const anterior = filas.get(contaId)
      const { promise, resolve } = Promise.withResolvers<void>()
      filas.set(contaId, promise)
      await anterior
      return () => {
        resolve()
        if (filas.get(contaId) === promise) filas.delete(contaId)
      }
    },
    isHeld: (contaId) => filas.has(contaId),
  }
}
