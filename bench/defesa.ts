import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { at, DONA, loginToApi, prepareContaWithBot, type ReadyConta } from '@balcao/e2e/ready-conta.ts'
import { type Product, startProduct } from '@balcao/e2e/product.ts'
import { type Latencies, measureShop, type Shop } from './defesa/probe.ts'
import { type Load, LOADS } from './defesa/loads.ts'
import { median, pause, percentile } from './messages/meters.ts'
import { figure, type Line, type Section, shown } from './report.ts'

const GOAL_MS = 1_000
const WARM_UP_MS = 3_000
const QUIET_MS = 8_000
const LOAD_MS = 15_000
/** After the load began, so that its connections are open and its queue is full. */
const RAMP_MS = 2_000

const TITLE = 'Defence: a shop while another address or account attacks'
const NOTE =
  "p50 / p95 / slowest. The load has its own process and other addresses than the shop. 'Answered': the bot's answer is in the customer's chat. Each load follows a quiet measurement of the same run."

const TITLES: Readonly<Record<Load, string>> = {
  endereco: 'one address floods',
  fila: '10,000 customers of another account wait',
  senhas: '200 parallel wrong logins',
  sockets: '2,000 strangers on the socket',
}

const MENU = { digitando: false }
const SHOP = { ...DONA, nome: 'Bruna Lima', email: 'bruna@brisa.com.br', empresa: 'Floricultura Brisa' }
const OPERADOR = { nome: 'Otto', email: 'otto@brisa.com.br', senha: 'senha-do-operador-1', setores: [] }
const CUSTOMER = { nome: 'Lúcia', telefone: '5511977770000' }

/** A conta with a connected bot, and an operador with a customer. */
async function openShop(product: Product): Promise<Shop> {
  const { apis } = await prepareContaWithBot(product, { dona: SHOP, menu: MENU, limiteMensagensDia: 1_000_000 })
  const [api] = apis
  if (api === undefined) throw new Error('login missing')
  await api.post('/conta/operadores', OPERADOR)
  const { api: operador } = await loginToApi(product.url, OPERADOR.email, OPERADOR.senha)
  await api.post('/simulador/mensagens', { ...CUSTOMER, texto: 'atendente' })
  const lista = at(await operador.get('/atendimento/conversas?limite=1&mensagens=0'), 'conversas')
  const conversa: unknown = Array.isArray(lista) ? lista[0] : undefined
  return { apis, operador, conversaId: String(at(conversa, 'id')) }
}

interface UnderLoad extends Latencies {
  readonly attacks: string
}

/** The load has its own process, so that it does not delay the measurement. */
async function measureUnder(load: Load, product: Product, attacker: ReadyConta, shop: Shop): Promise<UnderLoad> {
  const path = join(import.meta.dirname, 'defesa', 'attacker.ts')
  const child = fork(path, [load, product.url, attacker.tokens[0] ?? ''], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error(`load ended early: ${load}`)))
  failed.catch(() => undefined)
  await Promise.race([pause(RAMP_MS), failed])
  const latencies = await Promise.race([measureShop(shop, LOAD_MS), failed])
  const counted = once(child, 'message')
  child.send('end')
  const [answers] = await Promise.race([counted, failed])
  await ended
  const attacks = Object.entries(Object(answers)).map(([answer, times]) => `${answer}: ${figure(Number(times))}`)
  return { ...latencies, attacks: attacks.join(', ') }
}

const rounded = (ms: number): string => figure(Math.round(ms))

function shownTimes(times: readonly number[]): string {
  return `${rounded(median(times))} / ${rounded(percentile(times, 95))} / ${rounded(Math.max(0, ...times))} ms`
}

/** The slowest time is shown and not judged: on a shared machine it is often a pause of the machine. */
function lineUnder(name: string, quiet: readonly number[], loaded: readonly number[]): Line {
  const p95 = percentile(loaded, 95)
  return {
    medida: name,
    valor: `${shownTimes(loaded)}, ${figure(p95 / percentile(quiet, 95))} × quiet`,
    meta: `p95 ≤ ${figure(GOAL_MS, 'ms')}`,
    ok: p95 <= GOAL_MS,
  }
}

export async function measureDefesa(): Promise<Section[]> {
  const product = await startProduct({ LOG_LEVEL: 'error', REQUISICOES_POR_CONTA: '10000' })
  try {
    const attacker = await prepareContaWithBot(product, { menu: MENU, limiteMensagensDia: 10_000_000 })
    const shop = await openShop(product)
    await measureShop(shop, WARM_UP_MS)
    const lines: Line[] = []
    for (const load of LOADS) {
      const quiet = await measureShop(shop, QUIET_MS)
      const loaded = await measureUnder(load, product, attacker, shop)
      process.stderr.write(`bench · defesa · ${TITLES[load]} · ${loaded.attacks}\n`)
      lines.push(
        shown(`before: customer answered`, shownTimes(quiet.answers)),
        lineUnder(`${TITLES[load]}: customer answered`, quiet.answers, loaded.answers),
        shown(`before: operator's send`, shownTimes(quiet.sends)),
        lineUnder(`${TITLES[load]}: operator's send`, quiet.sends, loaded.sends),
      )
    }
    return [{ titulo: TITLE, linhas: lines, notas: [NOTE] }]
  } finally {
    await product.destroy()
  }
}
