import type { Log } from '@balcao/contract/entities/log'
import { useState } from 'react'

/** Reasons for the pause: hover, focus, scroll position, or the button. */
export type PauseReason = 'ponteiro' | 'foco' | 'rolagem' | 'pedido'

export interface LogPause {
  readonly shown: readonly Log[]
  /** Entries that arrived during the pause. */
  readonly newCount: number
  readonly paused: boolean
  /** Paused by the button. */
  readonly requested: boolean
  readonly setReason: (cause: PauseReason, enabled: boolean) => void
  /** Shows the new entries. The pause continues while a reason remains. */
  readonly showNew: () => void
}

const NO_REASONS: ReadonlySet<PauseReason> = new Set()

/** Freezes the live list while a pause reason exists. The key identifies the filter. */
export function useLogPause(logs: readonly Log[], key: string): LogPause {
  const [reasons, setReasons] = useState(NO_REASONS)
  const [frozen, setFrozen] = useState<{ readonly chave: string; readonly logs: readonly Log[] } | null>(null)
  const paused = reasons.size > 0
  if (paused && frozen?.chave !== key) setFrozen({ chave: key, logs })
  if (!paused && frozen !== null) setFrozen(null)
  const stopped = paused && frozen?.chave === key ? frozen.logs : logs
  // Compares by id: frozen entries may have been refreshed or removed.
  const known = new Set(stopped.map(({ id }) => id))
  return {
    shown: stopped,
    newCount: stopped === logs ? 0 : logs.filter(({ id }) => !known.has(id)).length,
    paused,
    requested: reasons.has('pedido'),
    setReason: (cause, enabled) =>
      setReasons((current) => {
        if (current.has(cause) === enabled) return current
        const fresh = new Set(current)
        if (enabled) fresh.add(cause)
        else fresh.delete(cause)
        return fresh
      }),
    showNew: () => setFrozen(paused ? { chave: key, logs } : null),
  }
}
