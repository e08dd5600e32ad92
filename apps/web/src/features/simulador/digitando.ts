import { digitandoSimuladoRoute } from '@balcao/contract/routes/simulador'
import { call } from '#shared/api-client.ts'

/** The indicator lasts some seconds, so it is repeated only before it ends. */
const REPETIR_MS = 3_000

let dito = { telefone: '', em: 0 }

/** Shows the company that this customer is typing. Failures are ignored. */
export function avisarQueDigita(telefone: string): void {
  const agora = performance.now()
  if (dito.telefone === telefone && agora - dito.em < REPETIR_MS) return
  dito = { telefone, em: agora }
  call(digitandoSimuladoRoute, { body: { telefone } }).catch(() => undefined)
}
