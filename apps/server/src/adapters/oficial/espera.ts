/** Changes of messages that have not come yet: Meta brings its news in any order. They stay in the journal; here is which. */
export interface Espera {
  /** Those that are not to be read now. */
  readonly ids: () => readonly string[]
  /**
   * The message that it changes is not there. What came `haMs` ago is looked at again when as much time has passed once more.
   * Gives back the one that waited longest, when too many do.
   */
  readonly esperar: (id: string, alvo: string, haMs: number) => string | null
  /** The message is there: whether anything waited for it. */
  readonly chegou: (alvo: string) => boolean
  readonly fechar: () => void
}

const MAXIMO = 200
/** A message of ours is known by Meta's name a moment after Meta has it. */
const MENOR_MS = 2_000
const MAIOR_MS = 3_600_000

interface Esperada {
  readonly alvo: string
  readonly ate: number
}

/** `olhar`: some of them are to be read again. */
export function createEspera(olhar: () => void): Espera {
  const esperadas = new Map<string, Esperada>()
  let timer: NodeJS.Timeout | undefined

  const soltar = (quais: (esperada: Esperada) => boolean): boolean => {
    const antes = esperadas.size
    for (const [id, esperada] of esperadas) if (quais(esperada)) esperadas.delete(id)
    return esperadas.size < antes
  }
  const agendar = (): void => {
    clearTimeout(timer)
    if (esperadas.size === 0) return
    const proxima = Math.min(...[...esperadas.values()].map(({ ate }) => ate))
    timer = setTimeout(
      () => {
        const agora = performance.now()
        const ha = soltar(({ ate }) => ate <= agora)
        agendar()
        if (ha) olhar()
      },
      Math.max(0, proxima - performance.now()),
    )
    timer.unref()
  }

  return {
    ids: () => [...esperadas.keys()],
    esperar: (id, alvo, haMs) => {
      esperadas.set(id, { alvo, ate: performance.now() + Math.min(MAIOR_MS, Math.max(MENOR_MS, haMs)) })
      const [antiga] = esperadas.size > MAXIMO ? esperadas.keys() : []
      if (antiga !== undefined) esperadas.delete(antiga)
      agendar()
      return antiga ?? null
    },
    chegou: (alvo) => soltar((esperada) => esperada.alvo === alvo),
    fechar: () => {
      esperadas.clear()
      clearTimeout(timer)
    },
  }
}
