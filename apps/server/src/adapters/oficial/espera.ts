/**
 * Changes whose target message has not arrived, because Meta's webhooks come in any order. The entries stay in the
 * journal; this list only postpones them.
 */
export interface WaitingChanges {
  readonly ids: () => readonly string[]
  /**
   * Postpones an entry that arrived `haMs` ago by the same time again. Returns the oldest waiting id when the list
   * is full.
   */
  readonly wait: (id: string, alvo: string, haMs: number) => string | null
  /** The message has arrived; true when a change waited for it. */
  readonly arrived: (alvo: string) => boolean
  readonly close: () => void
}

const MAX_WAITING = 200
/** The wamid of our own message is known only a moment after the send. */
const MIN_WAIT_MS = 2_000
const MAX_WAIT_MS = 3_600_000

interface WaitingChange {
  readonly target: string
  readonly until: number
}

export function createWaitingChanges(onDue: () => void): WaitingChanges {
  const esperadas = new Map<string, WaitingChange>()
  let timer: NodeJS.Timeout | undefined

  const soltar = (quais: (esperada: WaitingChange) => boolean): boolean => {
    const antes = esperadas.size
    for (const [id, esperada] of esperadas) if (quais(esperada)) esperadas.delete(id)
    return esperadas.size < antes
  }
  const agendar = (): void => {
    clearTimeout(timer)
    if (esperadas.size === 0) return
    const proxima = Math.min(...[...esperadas.values()].map(({ until }) => until))
    timer = setTimeout(
      () => {
        const agora = performance.now()
        const ha = soltar(({ until }) => until <= agora)
        agendar()
        if (ha) onDue()
      },
      Math.max(0, proxima - performance.now()),
    )
    timer.unref()
  }

  return {
    ids: () => [...esperadas.keys()],
    wait: (id, alvo, haMs) => {
      esperadas.set(id, { target: alvo, until: performance.now() + Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, haMs)) })
      const [antiga] = esperadas.size > MAX_WAITING ? esperadas.keys() : []
      if (antiga !== undefined) esperadas.delete(antiga)
      agendar()
      return antiga ?? null
    },
    arrived: (alvo) => soltar((esperada) => esperada.target === alvo),
    close: () => {
      esperadas.clear()
      clearTimeout(timer)
    },
  }
}
