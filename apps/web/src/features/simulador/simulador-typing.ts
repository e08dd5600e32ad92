import { digitandoSimuladoRoute } from '@balcao/contract/routes/simulador'
import { call } from '#shared/api-client.ts'

/** The indicator lasts some seconds, so it is repeated only before it ends. */
const REPEAT_MS = 3_000

let lastNotice = { telefone: '', em: 0 }

/** Shows the company that this customer is typing. Failures are ignored. */
export function notifyCustomerTyping(telefone: string): void {
  const agora = performance.now()
  if (lastNotice.telefone === telefone && agora - lastNotice.em < REPEAT_MS) return
  lastNotice = { telefone, em: agora }
  call(digitandoSimuladoRoute, { body: { telefone } }).catch(() => undefined)
}
