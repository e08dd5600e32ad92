import type { SessionHost } from '@balcao/connector/port'
import type { MetaChange } from './change.ts'

/** Meta retries failed webhooks for seven days; after that the target message cannot arrive. */
const WAIT_MAX_MS = 7 * 24 * 3_600_000
const MAX_CHANGES = 5_000

/**
 * Applies a change to an earlier message. Returns false while that message is missing and may still arrive. Of two
 * changes of the same kind the newer one wins, in any order of arrival.
 */
export function createChanges(
  host: Pick<SessionHost, 'change'>,
): (said: MetaChange, agoMs: number) => Promise<boolean> {
  const done = new Map<string, number>()
  return async ({ change, at }, agoMs) => {
    const { alvo, deMim, mudanca } = change
    const key = [mudanca.tipo, deMim, alvo].join(' ')
    if (at.getTime() < (done.get(key) ?? 0)) return true
    if (!(await host.change(change))) return agoMs > WAIT_MAX_MS
    done.delete(key)
    done.set(key, at.getTime())
    if (done.size > MAX_CHANGES) done.delete(done.keys().next().value ?? '')
    return true
  }
}
