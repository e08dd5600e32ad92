/**
 * Keeps the opening event of a conversa first. Opening reads the whole conversa, and other events of it may occur
 * meanwhile; they wait.
 */
export interface OpeningOrder {
  readonly open: (conversaId: string, count: () => Promise<void>) => void
  /** Runs immediately, or after the running opening in the order of the calls. */
  readonly after: (conversaId: string, count: () => void) => void
}

export function createOpeningOrder(): OpeningOrder {
  const abrindo = new Map<string, (() => void)[]>()

  const abrirJa = async (conversaId: string, count: () => Promise<void>): Promise<void> => {
    const queue: (() => void)[] = []
    abrindo.set(conversaId, queue)
    await count()
    abrindo.delete(conversaId)
    // Each entry checks again, because the conversa may have been opened a second time.
    for (const next of queue) next()
  }

  const aberturas: OpeningOrder = {
    open: (conversaId, count) => {
      const queue = abrindo.get(conversaId)
      if (queue === undefined) void abrirJa(conversaId, count)
      else queue.push(() => aberturas.open(conversaId, count))
    },
    after: (conversaId, count) => {
      const queue = abrindo.get(conversaId)
      if (queue === undefined) count()
      else queue.push(() => aberturas.after(conversaId, count))
    },
  }
  return aberturas
}
