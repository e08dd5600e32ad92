import { createApiClient } from '@balcao/e2e/api.ts'
import { prepareContaWithBot, at, type ReadyConta, until } from '@balcao/e2e/ready-conta.ts'
import { type Product, startProduct } from '@balcao/e2e/product.ts'
import { measureActs } from './atendimento/acts.ts'
import { createOperadores, fillWaiting } from './atendimento/customers.ts'
import { measureLargeConta } from './atendimento/large.ts'
import { runLoad, type LoadRequest } from './atendimento/load.ts'
import { measureFanOut } from './atendimento/fan-out.ts'
import { measureViews } from './atendimento/views.ts'
import { measureInBrowser } from './atendimento/browser.ts'
import { median, percentile } from './messages/meters.ts'
import { atLeast, atMost, figure, type Line, type Section, shown } from './report.ts'

const CONVERSAS = 10_000
const LONG_CHAT_MESSAGES = 2_000
/** Below the limit of sessions per person. The tokens take turns, because each has its own request limit. */
const LOGINS = 40
/** Limit of requests above all measured rates, because one account makes all requests. */
const REQUISICOES_POR_CONTA = '10000'
const SECONDS = 8
const LIST_SIZE = 40
const PAGES = 200
/** The most operators a conta may have. Each opens two windows. */
const OPERADORES = 50

/** Requests a second of Whaticket on a similar machine. The goal is three times as many. */
const WHATICKET = { lista: 384, mensagens: 359, envio: 153 }

const TALKATIVE_CUSTOMER = { nome: 'Dona Lúcia', telefone: '+5511977770000' }

/** Ten thousand customers ask for an operator through the bot; the talkative one sends two thousand messages. */
async function fillConversas(loja: ReadyConta): Promise<{ ids: string[]; longa: string }> {
  const [api] = loja.apis
  if (api === undefined) throw new Error('login missing')
  await fillWaiting(loja, CONVERSAS)
  await api.post('/simulador/mensagens', { ...TALKATIVE_CUSTOMER, texto: 'atendente' })
  for (let n = 0; n < LONG_CHAT_MESSAGES; n += 1) {
    await api.post('/simulador/mensagens', { ...TALKATIVE_CUSTOMER, texto: `e mais uma coisa: ${n}` })
  }
  const total = async (): Promise<unknown> => at(await api.get('/atendimento/estatisticas'), 'total')
  await until(async () => (await total()) === CONVERSAS + 1, 1_000)
  const lista = at(await api.get('/atendimento/conversas?limite=200&mensagens=0'), 'conversas')
  if (!Array.isArray(lista)) throw new Error('list of conversas missing')
  const ids = lista.map((conversa: unknown) => String(at(conversa, 'id')))
  const long: unknown = lista.find((conversa: unknown) => at(conversa, 'cliente', 'nome') === TALKATIVE_CUSTOMER.nome)
  return { ids, longa: String(at(long, 'id')) }
}

/** Cursors of the list pages, far more than an operator would scroll. */
async function listCursors({ apis }: ReadyConta): Promise<string[]> {
  const cursors: string[] = []
  let after = ''
  while (cursors.length < PAGES) {
    // The tokens take turns because each token has its own request limit.
    const page = await apis[cursors.length % apis.length]?.get(
      `/atendimento/conversas?limite=${LIST_SIZE}&mensagens=0${after}`,
    )
    const cursor = String(at(page, 'proximoCursor'))
    cursors.push(encodeURIComponent(cursor))
    after = `&cursor=${encodeURIComponent(cursor)}`
  }
  return cursors
}

async function measureRequests(
  { url }: Product,
  { tokens }: ReadyConta,
  name: string,
  /** Requests a second of Whaticket; null if there is nothing to compare with. */
  whaticketRate: number | null,
  request: (n: number) => LoadRequest,
): Promise<Line[]> {
  await runLoad(url, tokens, 2, (n) => request(n + 1_000_000))
  const { timesMs, seconds } = await runLoad(url, tokens, SECONDS, request)
  return [
    whaticketRate === null
      ? shown(name, figure(timesMs.length / seconds, 'req/s'))
      : atLeast(name, timesMs.length / seconds, whaticketRate * 3, 'req/s'),
    shown(`${name}, p99`, figure(percentile(timesMs, 99), 'ms')),
  ]
}

async function measureApi(
  product: Product,
  loja: ReadyConta,
  { ids, longa: longId, operadores }: { ids: readonly string[]; longa: string; operadores: readonly string[] },
): Promise<Section> {
  const cursors = await listCursors(loja)
  // A read may exceed the request limits of the logins of one person. Sends have one author per conversa.
  const readers = { ...loja, tokens: [...loja.tokens, ...operadores] }
  return {
    title: `People: the API with ${figure(CONVERSAS)} open conversations, 10 connections`,
    lines: [
      ...(await measureRequests(product, readers, `list of ${LIST_SIZE} conversations`, WHATICKET.lista, () => ({
        method: 'GET',
        path: `/atendimento/conversas?limite=${LIST_SIZE}&mensagens=0`,
      }))),
      ...(await measureRequests(product, readers, `list of ${LIST_SIZE}, each connection another page`, null, (n) => ({
        method: 'GET',
        path: `/atendimento/conversas?limite=${LIST_SIZE}&mensagens=0&cursor=${cursors[n % PAGES]}`,
      }))),
      ...(await measureRequests(product, readers, "a conversation's last 50 messages", WHATICKET.mensagens, () => ({
        method: 'GET',
        path: `/atendimento/conversas/${longId}/mensagens?limite=50`,
      }))),
      ...(await measureRequests(product, loja, 'an operator sends', WHATICKET.envio, (n) => ({
        method: 'POST',
        path: `/atendimento/conversas/${ids[n % ids.length]}/mensagem`,
        body: { mensagem: `resposta ${n}`, idTemporario: `carga-${n}` },
      }))),
    ],
    notes: [
      'The goals are three times the rate of Whaticket on such a machine. Its p99 was 38 ms for the list and 117 ms to send.',
      'Equal requests that wait at the same time share one database read. The row "each connection another page" shows the cost without sharing.',
    ],
  }
}

async function measureSockets(product: Product, loja: ReadyConta, operadores: readonly string[]): Promise<Section> {
  const dona = createApiClient(product.url, loja.tokens[0], 'aberta')
  const rounds = await measureFanOut(product.url, operadores, dona, TALKATIVE_CUSTOMER)
  const medianOf = (p: number): number => median(rounds.map((round) => percentile(round, p)))
  return {
    title: `People: a customer writes, ${OPERADORES} operators look from two windows each`,
    lines: [
      shown("message posted to an operator's socket, p50", figure(medianOf(50), 'ms')),
      atMost("message posted to an operator's socket, p99", medianOf(99), 12, 'ms'),
    ],
    notes: [
      `Medians of ${rounds.length} rounds, one message at a time.`,
      'In a CPU profile of the whole server process, start included, all socket writes were 26 % of the busy time and the broadcast of Socket.IO 16 %. The waits outside the process were not separated.',
    ],
  }
}

async function measurePanel(product: Product, longId: string): Promise<Section> {
  const { sends, interactions } = await measureInBrowser(product.url, longId)
  return {
    title: `People: an operator's browser, ${figure(CONVERSAS)} open conversations`,
    lines: [
      shown('Enter to the message shown as sent, p50', figure(percentile(sends, 50), 'ms')),
      shown('Enter to the message shown as sent, p99', figure(percentile(sends, 99), 'ms')),
      atMost('a click or a key to the next frame, p95', percentile(interactions, 95), 50, 'ms'),
      shown('a click or a key to the next frame, the slowest', figure(Math.max(0, ...interactions), 'ms')),
    ],
    notes: ['At a fast pace: 300 ms between two clicks, 60 ms between two keys.'],
  }
}

export async function measureAtendimento(): Promise<Section[]> {
  return [...(await measureBusyConta()), ...(await measureLargeConta())]
}

async function measureBusyConta(): Promise<Section[]> {
  const product = await startProduct({ LOG_LEVEL: 'error', REQUISICOES_POR_CONTA })
  try {
    const loja = await prepareContaWithBot(product, {
      limiteMensagensDia: 1_000_000,
      logins: LOGINS,
      menu: { digitando: false },
    })
    const { ids, longa } = await fillConversas(loja)
    const operadores = (await createOperadores(product, loja, OPERADORES)).map(({ token }) => token)
    return [
      await measureApi(product, loja, { ids, longa, operadores }),
      await measureViews(product, operadores),
      await measureSockets(product, loja, operadores),
      await measurePanel(product, longa),
      await measureActs(product, loja),
    ]
  } finally {
    await product.destroy()
  }
}
