/** One thing to do for one contact. Turns of the same `chave` keep their order and never run side by side. */
export interface Turno {
  readonly chave: string
}

export interface BatcherOptions<T extends Turno> {
  /** Turns in one batch, at most one per contact. */
  readonly maximo: number
  /** Batches in flight. Few: a waiting message joins a bigger batch, which costs less per message. */
  readonly vagas: number
  /** Settles every turn itself and never rejects; gives back those that must wait for the next batch. */
  readonly processar: (lote: readonly T[]) => Promise<readonly T[]>
}

export interface Batcher<T extends Turno> {
  readonly enfileirar: (turno: T) => void
  /** Resolves when nothing is queued or in flight. */
  readonly ocioso: () => Promise<void>
  readonly pendentes: () => number
}

interface Contato<T> {
  readonly chave: string
  readonly fila: T[]
}

/**
 * Groups the turns of different contacts (architecture §7 "Hot path"). A batch leaves as soon as a slot is free:
 * without load a message leaves alone and at once, under load batches grow by themselves.
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
    // What arrives in the same turn of the event loop travels together.
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
