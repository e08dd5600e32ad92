/** One task for one contato. Turns with the same key run in order and never in parallel. */
export interface QueuedItem {
  readonly key: string
}

export interface BatcherOptions<T extends QueuedItem> {
  readonly max: number
  /** Batches in parallel. Few, because a waiting turn then joins a larger batch, which costs less per message. */
  readonly slots: number
  /** Settles every turn and never rejects. Returns the turns that must wait for the next batch. */
  readonly handleBatch: (lote: readonly T[]) => Promise<readonly T[]>
}

export interface Batcher<T extends QueuedItem> {
  readonly add: (turno: T) => void
  readonly idle: () => Promise<void>
  readonly pending: () => number
}

interface KeyQueue<T> {
  readonly key: string
  readonly queue: T[]
}

/**
 * Groups turns of different contatos into batches. A batch starts as soon as a slot is free: a single message does
 * not wait, and batches grow under load.
 */
export function createBatcher<T extends QueuedItem>({ max, slots, handleBatch }: BatcherOptions<T>): Batcher<T> {
  const contatos = new Map<string, KeyQueue<T>>()
  let prontos: KeyQueue<T>[] = []
  let emVoo = 0
  let agendado = false
  let total = 0
  let esperando: (() => void)[] = []

  const agendar = (): void => {
    if (agendado || emVoo >= slots || prontos.length === 0) return
    agendado = true
    // Turns queued in the same tick of the event loop form one batch.
    setImmediate(despachar)
  }

  const despachar = (): void => {
    agendado = false
    while (emVoo < slots && prontos.length > 0) {
      const grupo = prontos.slice(0, max)
      prontos = prontos.slice(max)
      void rodar(grupo)
    }
  }

  const rodar = async (grupo: readonly KeyQueue<T>[]): Promise<void> => {
    emVoo += 1
    const lote = grupo.flatMap(({ queue }) => queue.splice(0, 1))
    const adiados = new Map((await handleBatch(lote)).map((turno) => [turno.key, turno]))
    total -= lote.length - adiados.size
    for (const contato of grupo) {
      const adiado = adiados.get(contato.key)
      if (adiado !== undefined) contato.queue.unshift(adiado)
      if (contato.queue.length > 0) prontos.push(contato)
      else contatos.delete(contato.key)
    }
    emVoo -= 1
    if (total === 0) for (const pronto of esperando.splice(0)) pronto()
    agendar()
  }

  return {
    add: (turno) => {
      total += 1
      const contato = contatos.get(turno.key)
      if (contato === undefined) {
        const novo = { key: turno.key, queue: [turno] }
        contatos.set(turno.key, novo)
        prontos.push(novo)
      } else {
        contato.queue.push(turno)
      }
      agendar()
    },
    idle: () =>
      new Promise((resolve) => {
        if (total === 0) resolve()
        else esperando = [...esperando, resolve]
      }),
    pending: () => total,
  }
}
