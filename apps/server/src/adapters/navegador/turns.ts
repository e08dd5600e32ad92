/** One session per account holds the browser profile; the next waits until it is released. */
export interface ProfileLocks {
  /** Resolves with the release function. */
  readonly take: (contaId: string) => Promise<() => void>
  readonly isHeld: (contaId: string) => boolean
}

export function createProfileLocks(): ProfileLocks {
  const queues = new Map<string, Promise<void>>()
  return {
    take: async (contaId) => {
      const previous = queues.get(contaId)
      const { promise, resolve } = Promise.withResolvers<void>()
      queues.set(contaId, promise)
      await previous
      return () => {
        resolve()
        if (queues.get(contaId) === promise) queues.delete(contaId)
      }
    },
    isHeld: (contaId) => queues.has(contaId),
  }
}
