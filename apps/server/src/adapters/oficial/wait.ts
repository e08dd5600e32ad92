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
  readonly wait: (id: string, alvo: string, agoMs: number) => string | null
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
  const expected = new Map<string, WaitingChange>()
  let timer: NodeJS.Timeout | undefined

  const release = (quais: (esperada: WaitingChange) => boolean): boolean => {
    const before = expected.size
    for (const [id, esperada] of expected) if (quais(esperada)) expected.delete(id)
    return expected.size < before
  }
  const schedule = (): void => {
    clearTimeout(timer)
    if (expected.size === 0) return
    const next = Math.min(...[...expected.values()].map(({ until }) => until))
    timer = setTimeout(
      () => {
        const agora = performance.now()
        const ha = release(({ until }) => until <= agora)
        schedule()
        if (ha) onDue()
      },
      Math.max(0, next - performance.now()),
    )
    timer.unref()
  }

  return {
    ids: () => [...expected.keys()],
    wait: (id, alvo, agoMs) => {
      expected.set(id, { target: alvo, until: performance.now() + Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, agoMs)) })
      const [old] = expected.size > MAX_WAITING ? expected.keys() : []
      if (old !== undefined) expected.delete(old)
      schedule()
      return old ?? null
    },
    arrived: (alvo) => release((esperada) => esperada.target === alvo),
    close: () => {
      expected.clear()
      clearTimeout(timer)
    },
  }
}
