/** One task for one contato. Turns with the same key run in order and never in parallel. */
export interface QueuedItem {
  readonly key: string
}

export interface BatcherOptions<T extends QueuedItem> {
  readonly max: number
  /** Batches in parallel. Few, because a waiting turn then joins a larger batch, which costs less per message. */
  readonly slots: number
  /** Settles every turn and never rejects. Returns the turns that must wait for the next batch. */
  readonly handleBatch: (batch: readonly T[]) => Promise<readonly T[]>
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
  let ready: KeyQueue<T>[] = []
  let inFlight = 0
  let agendado = false
  let total = 0
  let waiting: (() => void)[] = []

  const schedule = (): void => {
    if (agendado || inFlight >= slots || ready.length === 0) return
    agendado = true
    // Turns queued in the same tick of the event loop form one batch.
    setImmediate(dispatch)
  }

  const dispatch = (): void => {
    agendado = false
    while (inFlight < slots && ready.length > 0) {
      const group = ready.slice(0, max)
      ready = ready.slice(max)
      void run(group)
    }
  }

  const run = async (group: readonly KeyQueue<T>[]): Promise<void> => {
    inFlight += 1
    const batch = group.flatMap(({ queue }) => queue.splice(0, 1))
    const deferred = new Map((await handleBatch(batch)).map((turno) => [turno.key, turno]))
    total -= batch.length - deferred.size
    for (const contato of group) {
      const adiado = deferred.get(contato.key)
      if (adiado !== undefined) contato.queue.unshift(adiado)
      if (contato.queue.length > 0) ready.push(contato)
      else contatos.delete(contato.key)
    }
    inFlight -= 1
    if (total === 0) for (const pronto of waiting.splice(0)) pronto()
    schedule()
  }

  return {
    add: (turno) => {
      total += 1
      const contato = contatos.get(turno.key)
      if (contato === undefined) {
        const fresh = { key: turno.key, queue: [turno] }
        contatos.set(turno.key, fresh)
        ready.push(fresh)
      } else {
        contato.queue.push(turno)
      }
      schedule()
    },
    idle: () =>
      new Promise((resolve) => {
        if (total === 0) resolve()
        else waiting = [...waiting, resolve]
      }),
    pending: () => total,
  }
}
