import { digitandoSimuladoRoute } from '@balcao/contract/routes/simulador'
import { call } from '#shared/api-client.ts'

/** The sign lasts some seconds on the other side: told again only when it is about to go. */
const REPETIR_MS = 3_000

let dito = { telefone: '', em: 0 }

/** Tells the shop that this customer is writing. Nobody misses it when it fails. */
export function avisarQueDigita(telefone: string): void {
  const agora = performance.now()
  if (dito.telefone === telefone && agora - dito.em < REPETIR_MS) return
  dito = { telefone, em: agora }
  call(digitandoSimuladoRoute, { body: { telefone } }).catch(() => undefined)
}
