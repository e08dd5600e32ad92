import type { SessionHost } from '#ports/messaging.ts'
import type { MetaChange } from './alteracao.ts'

/** Meta retries failed webhooks for seven days; after that the target message cannot arrive. */
const WAIT_MAX_MS = 7 * 24 * 3_600_000
const MAX_CHANGES = 5_000

/**
 * Applies a change to an earlier message. Returns false while that message is missing and may still arrive. Of two
 * changes of the same kind the newer one wins, in any order of arrival.
 */
export function createChanges(
  host: Pick<SessionHost, 'change'>,
): (dita: MetaChange, haMs: number) => Promise<boolean> {
  const feitas = new Map<string, number>()
  return async ({ change, at }, haMs) => {
    const { alvo, deMim, mudanca } = change
    const chave = [mudanca.tipo, deMim, alvo].join(' ')
    if (at.getTime() < (feitas.get(chave) ?? 0)) return true
    if (!(await host.change(change))) return haMs > WAIT_MAX_MS
    feitas.delete(chave)
    feitas.set(chave, at.getTime())
    if (feitas.size > MAX_CHANGES) feitas.delete(feitas.keys().next().value ?? '')
    return true
  }
}
