import type { SessionHost } from '#ports/messaging.ts'
import type { AlteracaoDaMeta } from './alteracao.ts'

/** Meta retries for seven days what it could not bring: after that the message does not come any more. */
const ESPERA_MAXIMA_MS = 7 * 24 * 3_600_000
const LEMBRADAS = 5_000

/**
 * Has the bot do what is said of a message of before; false while that message is not there and may still come. Of two that
 * change the same, the younger counts, whichever comes first.
 */
export function createAlteracoes(
  host: Pick<SessionHost, 'alterar'>,
): (dita: AlteracaoDaMeta, haMs: number) => Promise<boolean> {
  /** The instant of the last one, in ms. */
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
