/** One task for one contato. Turns with the same key run in order and never in parallel. */
export interface Turno {
  readonly chave: string
}

export interface BatcherOptions<T extends Turno> {
  readonly maximo: number
  /** Batches in parallel. Few, because a waiting turn then joins a larger batch, which costs less per message. */
  readonly vagas: number
  /** Settles every turn and never rejects. Returns the turns that must wait for the next batch. */
  readonly processar: (lote: readonly T[]) => Promise<readonly T[]>
}

export interface Batcher<T extends Turno> {
  readonly enfileirar: (turno: T) => void
  readonly ocioso: () => Promise<void>
  readonly pendentes: () => number
}

interface Contato<T> {
  readonly chave: string
  readonly fila: T[]
}

/**
 * Groups turns of different contatos into batches. A batch starts as soon as a slot is free: a single message does
 * not wait, and batches grow under load.
 */
export function createBatcher<T extends Turno>({ maximo, vagas, processar }: BatcherOptions<T>): Batcher<T> {
  const contatos = new Map<string, Contato<T>>()
  let prontos: Contato<T>[] = []
  let emVoo = 0
  let agendado = false
  let total = 0
  let esperando: (() => void)[] = []

  const agendar = (): void => {
    if (agendado || emVoo >= vagas || prontos.length === 0) return
    agendado = true
    // Turns queued in the same tick of the event loop form one batch.
    setImmediate(despachar)
  }

  const despachar = (): void => {
    agendado = false
    while (emVoo < vagas && prontos.length > 0) {
      const grupo = prontos.slice(0, maximo)
      prontos = prontos.slice(maximo)
      void rodar(grupo)
    }
  }

  const rodar = async (grupo: readonly Contato<T>[]): Promise<void> => {
    emVoo += 1
    const lote = grupo.flatMap(({ fila }) => fila.splice(0, 1))
    const adiados = new Map((await processar(lote)).map((turno) => [turno.chave, turno]))
    total -= lote.length - adiados.size
    for (const contato of grupo) {
      const adiado = adiados.get(contato.chave)
      if (adiado !== undefined) contato.fila.unshift(adiado)
      if (contato.fila.length > 0) prontos.push(contato)
      else contatos.delete(contato.chave)
    }
    emVoo -= 1
    if (total === 0) for (const pronto of esperando.splice(0)) pronto()
    agendar()
  }

  return {
    enfileirar: (turno) => {
      total += 1
      const contato = contatos.get(turno.chave)
      if (contato === undefined) {
        const novo = { chave: turno.chave, fila: [turno] }
        contatos.set(turno.chave, novo)
        prontos.push(novo)
      } else {
        contato.fila.push(turno)
      }
      agendar()
    },
    ocioso: () =>
      new Promise((resolve) => {
        if (total === 0) resolve()
        else esperando = [...esperando, resolve]
      }),
    pendentes: () => total,
  }
}
