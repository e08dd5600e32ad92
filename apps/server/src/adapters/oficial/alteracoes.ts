import type { SessionHost } from '#ports/messaging.ts'
import type { AlteracaoDaMeta } from './alteracao.ts'

/** Meta retries failed webhooks for seven days; after that the target message cannot arrive. */
const ESPERA_MAXIMA_MS = 7 * 24 * 3_600_000
const LEMBRADAS = 5_000

/**
 * Applies a change to an earlier message. Returns false while that message is missing and may still arrive. Of two
 * changes of the same kind the newer one wins, in any order of arrival.
 */
export function createAlteracoes(
  host: Pick<SessionHost, 'alterar'>,
): (dita: AlteracaoDaMeta, haMs: number) => Promise<boolean> {
  const feitas = new Map<string, number>()
  return async ({ alteracao, em }, haMs) => {
    const { alvo, deMim, mudanca } = alteracao
    const chave = [mudanca.tipo, deMim, alvo].join(' ')
    if (em.getTime() < (feitas.get(chave) ?? 0)) return true
    if (!(await host.alterar(alteracao))) return haMs > ESPERA_MAXIMA_MS
    feitas.delete(chave)
    feitas.set(chave, em.getTime())
    if (feitas.size > LEMBRADAS) feitas.delete(feitas.keys().next().value ?? '')
    return true
  }
}
