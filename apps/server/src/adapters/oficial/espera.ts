/**
 * Changes whose target message has not arrived, because Meta's webhooks come in any order. The entries stay in the
 * journal; this list only postpones them.
 */
export interface Espera {
  readonly ids: () => readonly string[]
  /**
   * Postpones an entry that arrived `haMs` ago by the same time again. Returns the oldest waiting id when the list
   * is full.
   */
  readonly esperar: (id: string, alvo: string, haMs: number) => string | null
  /** The message has arrived; true when a change waited for it. */
  readonly chegou: (alvo: string) => boolean
  readonly fechar: () => void
}

const MAXIMO = 200
/** The wamid of our own message is known only a moment after the send. */
const MENOR_MS = 2_000
const MAIOR_MS = 3_600_000

interface Esperada {
  readonly alvo: string
  readonly ate: number
}

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
