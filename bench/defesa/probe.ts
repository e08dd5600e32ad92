import type { ApiClient } from '@balcao/e2e/api.ts'
import { at } from '@balcao/e2e/ready-conta.ts'
import type { PushService } from '@balcao/server/testing'
import { pause } from '../messages/meters.ts'

const POLL_MS = 10
/** Between two exchanges, so that the rate limit of the tokens is not reached. */
const PAUSE_MS = 100
/** A longer wait is counted as this. */
const GIVE_UP_MS = 30_000

export interface Shop {
  /** The tokens take turns because each has its own request limit. */
  readonly apis: readonly ApiClient[]
  readonly operador: ApiClient
  readonly conversaId: string
  /** Push service of the operador's browser. */
  readonly push: PushService
}

export interface Latencies {
  readonly answers: readonly number[]
  readonly sends: readonly number[]
  readonly notices: readonly number[]
}

let customers = 0
let sends = 0

/** A new customer writes. Resolves with the ms until the bot's answer is in the chat of the simulador. */
async function measureAnswer({ apis }: Shop): Promise<number> {
  customers += 1
  const telefone = `55119${String(70_000_000 + customers)}`
  const start = performance.now()
  await apis[0]?.post('/simulador/mensagens', { telefone, nome: `Bia ${customers}`, texto: 'oi' })
  for (let poll = 0; performance.now() - start < GIVE_UP_MS; poll += 1) {
    const chat = at(await apis[poll % apis.length]?.get(`/simulador/mensagens?telefone=${telefone}`), 'mensagens')
    if (Array.isArray(chat) && chat.some((mensagem: unknown) => at(mensagem, 'de') === 'bot')) break
    await pause(POLL_MS)
  }
  return performance.now() - start
}

async function measureSend({ operador, conversaId }: Shop): Promise<number> {
  sends += 1
  const start = performance.now()
  const body = { mensagem: `resposta ${sends}`, idTemporario: `defesa-${sends}` }
  await operador.post(`/atendimento/conversas/${conversaId}/mensagem`, body)
  return performance.now() - start
}

/** A new customer waits for a person. Resolves with the ms until the notice is at the operador's push service. */
async function measureNotice({ apis, push }: Shop): Promise<number> {
  customers += 1
  const telefone = `55119${String(70_000_000 + customers)}`
  const before = push.received.length
  const start = performance.now()
  await apis[0]?.post('/simulador/mensagens', { telefone, nome: `Bia ${customers}`, texto: 'atendente' })
  while (push.received.length === before && performance.now() - start < GIVE_UP_MS) await pause(POLL_MS)
  return performance.now() - start
}

/** Measures all for `ms`, one exchange after the other. The three run in parallel, as in a shop. */
export async function measureShop(shop: Shop, ms: number): Promise<Latencies> {
  const end = performance.now() + ms
  const repeat = async (measure: (shop: Shop) => Promise<number>): Promise<number[]> => {
    const times: number[] = []
    while (performance.now() < end) {
      times.push(await measure(shop))
      await pause(PAUSE_MS)
    }
    return times
  }
  const [answers, sent, notices] = await Promise.all([
    repeat(measureAnswer),
    repeat(measureSend),
    repeat(measureNotice),
  ])
  return { answers, sends: sent, notices }
}
