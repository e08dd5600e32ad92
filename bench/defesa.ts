import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { at, DONA, loginToApi, prepareConta, prepareContaWithBot, type ReadyConta } from '@balcao/e2e/ready-conta.ts'
import { type Product, startProduct } from '@balcao/e2e/product.ts'
import { createPushService } from '@balcao/server/testing'
import { type Latencies, measureShop, type Shop } from './defesa/probe.ts'
import { startGraph } from './defesa/graph.ts'
import { type Load, LOADS } from './defesa/loads.ts'
import { median, pause, percentile } from './messages/meters.ts'
import { figure, type Line, type Section, shown } from './report.ts'

const GOAL_MS = 1_000
const WARM_UP_MS = 3_000
const QUIET_MS = 8_000
const LOAD_MS = 15_000
/** After the load began, so that its connections are open and its queue is full. */
const RAMP_MS = 2_000
/** The server looks every 2 s, and the notice leaves within 1 s. */
const NOTICE_GOAL_MS = 3_000

const TITLE = 'Defence: a shop while another address or account attacks'
const NOTE =
  "p50 / p95 / slowest. The load has its own process and other addresses than the shop. 'Answered': the bot's answer is in the customer's chat. The server looks for notices every 2 s. Each load follows a quiet measurement of the same run."

const TITLES: Readonly<Record<Load, string>> = {
  endereco: 'one address floods',
  fila: '10,000 customers of another account wait',
  senhas: '200 parallel wrong logins',
  sockets: '2,000 strangers on the socket',
  importacao: 'another account imports files of 50,000 contacts',
  agendadas: '5,000 messages of another account are due together',
  avisos: 'the push service of another account never answers',
  textos: 'customers of another account write 65,536 characters',
}

/** The search reads new texts every 30 s. */
const LONGER_MS: Partial<Readonly<Record<Load, number>>> = { textos: 45_000 }

const MENU = { digitando: false }
const SHOP = { ...DONA, nome: 'Bruna Lima', email: 'bruna@brisa.com.br', empresa: 'Floricultura Brisa' }
const META = { ...DONA, nome: 'Marta Dias', email: 'marta@aurora.com.br', empresa: 'Padaria Meta' }
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
  const push = await createPushService()
  await operador.post('/push/inscricoes', push.subscription())
  return { apis, operador, conversaId: String(at(conversa, 'id')), push }
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
  await Promise.race([once(child, 'message'), failed])
  await Promise.race([pause(RAMP_MS), failed])
  const latencies = await Promise.race([measureShop(shop, LONGER_MS[load] ?? LOAD_MS), failed])
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
function lineUnder(name: string, quiet: readonly number[], loaded: readonly number[], goalMs = GOAL_MS): Line {
  const p95 = percentile(loaded, 95)
  return {
    measure: name,
    value: `${shownTimes(loaded)}, ${figure(p95 / percentile(quiet, 95))} × quiet`,
    goal: `p95 ≤ ${figure(goalMs, 'ms')}`,
    ok: p95 <= goalMs,
  }
}

/** `textos` needs another connector. Each account has one. */
interface Attackers {
  readonly simulador: ReadyConta
  readonly oficial: ReadyConta
}

async function measureLoad(load: Load, product: Product, attackers: Attackers, shop: Shop): Promise<Line[]> {
  const quiet = await measureShop(shop, QUIET_MS)
  const attacker = load === 'textos' ? attackers.oficial : attackers.simulador
  const loaded = await measureUnder(load, product, attacker, shop)
  process.stderr.write(`bench · defesa · ${TITLES[load]} · ${loaded.attacks}\n`)
  return [
    shown(`before: customer answered`, shownTimes(quiet.answers)),
    lineUnder(`${TITLES[load]}: customer answered`, quiet.answers, loaded.answers),
    shown(`before: operator's send`, shownTimes(quiet.sends)),
    lineUnder(`${TITLES[load]}: operator's send`, quiet.sends, loaded.sends),
    shown(`before: notice on the phone`, shownTimes(quiet.notices)),
    lineUnder(`${TITLES[load]}: notice on the phone`, quiet.notices, loaded.notices, NOTICE_GOAL_MS),
  ]
}

export async function measureDefesa(): Promise<Section[]> {
  const graph = await startGraph()
  const services = { PUSH_LOOPBACK: '1', WHATSAPP_CLOUD_BASE_URL: graph.url }
  const product = await startProduct({ LOG_LEVEL: 'error', REQUISICOES_POR_CONTA: '10000', ...services })
  try {
    const limiteMensagensDia = 10_000_000
    const simulador = await prepareContaWithBot(product, { menu: MENU, limiteMensagensDia })
    const oficial = await prepareConta(product, { menu: MENU, limiteMensagensDia, dona: META })
    const shop = await openShop(product)
    await measureShop(shop, WARM_UP_MS)
    const lines: Line[] = []
    for (const load of LOADS) lines.push(...(await measureLoad(load, product, { simulador, oficial }, shop)))
    shop.push.close()
    return [{ title: TITLE, lines, notes: [NOTE] }]
  } finally {
    graph.close()
    await product.destroy()
  }
}
