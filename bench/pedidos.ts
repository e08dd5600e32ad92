import { firstLine, openPriceCounter, type OficialPrice } from '@balcao/server/bench'
import { type ApiClient, createApiClient } from '@balcao/e2e/api.ts'
import { type Product, startProduct } from '@balcao/e2e/product.ts'
import { at, prepareContaWithBot, type ReadyConta } from '@balcao/e2e/ready-conta.ts'
import { createBenchCustomers } from './messages/customers.ts'
import { KINDS, type KindsBench, openKindsBench } from './messages/kinds.ts'
import { median, pause, percentile } from './messages/meters.ts'
import { measureMenu } from './pedidos/menu.ts'
import { atLeast, atMost, exactly, figure, type Section, shown } from './report.ts'

const OPEN_ORDERS = 500
const BOARD_READS = 200
const BOARD_GOAL_MS = 50
/** The tokens take turns, because each has its own request limit. */
const LOGINS = 20
const STATUSES = ['novo', 'preparo', 'saiu', 'entregue'] as const
const REQUISICOES_POR_CONTA = '100000'

const PRICED = 10_000
const PRICED_GOAL_S = 10
/** Statuses of one webhook, and the time from one webhook to the next. */
const PER_WEBHOOK = 10
const WEBHOOK_MS = 8
const IN_FLIGHT = 50
const ROUNDS = 3
/** One round of turns alone lasts as long as the statuses take. */
const ALONE_S = (PRICED / PER_WEBHOOK) * (WEBHOOK_MS / 1_000)

async function fillBoard(product: Product, loja: ReadyConta): Promise<void> {
  const [api] = loja.apis
  if (api === undefined) throw new Error('login missing')
  const config = at(await api.get('/config'), 'config')
  await api.put('/config', { ...Object(config), loja: { ...Object(at(config, 'loja')), pedidos: true } })
  const created = await api.post('/produtos', { nome: 'Coxinha', descricao: 'De frango', preco: 9 })
  const opened = await api.post('/atendimento/conversas', { telefone: '5511977770000', nome: 'Dona Lúcia' })
  const body = {
    conversaId: String(at(opened, 'conversa', 'id')),
    itens: [{ produtoId: String(at(created, 'produto', 'id')), quantidade: 2 }],
    ...{ entrega: { tipo: 'retirada' }, pagamento: { forma: 'dinheiro' } },
  }
  const clients = loja.tokens.map((token) => createApiClient(product.url, token, 'aberta'))
  for (let n = 0; n < OPEN_ORDERS; n += 1) {
    const client = clients[n % clients.length]
    const id = String(at(await client?.post('/pedidos', body), 'pedido', 'id'))
    // A third of them is in preparation.
    if (n % 3 === 0) await client?.put(`/pedidos/${id}/status`, { status: 'preparo' })
  }
}

/** As the board reads: one request for each of its columns at once. */
async function readBoard(client: ApiClient): Promise<number> {
  const start = performance.now()
  await Promise.all(STATUSES.map((status) => client.get(`/pedidos?status=${status}&limite=100`)))
  return performance.now() - start
}

async function measureBoard(): Promise<Section> {
  const product = await startProduct({ LOG_LEVEL: 'error', REQUISICOES_POR_CONTA })
  try {
    const loja = await prepareContaWithBot(product, { logins: LOGINS, menu: { digitando: false } })
    await fillBoard(product, loja)
    const clients = loja.tokens.map((token) => createApiClient(product.url, token, 'aberta'))
    const times: number[] = []
    for (let n = 0; n < BOARD_READS; n += 1) {
      const client = clients[n % clients.length]
      if (client !== undefined) times.push(await readBoard(client))
    }
    return {
      title: `Orders: the board of ${OPEN_ORDERS} open orders`,
      lines: [
        shown('the four columns, p50', figure(median(times), 'ms')),
        atMost('the four columns, p95', percentile(times, 95), BOARD_GOAL_MS, 'ms'),
      ],
      notes: ['One board at a time. Each column shows at most its newest 100 orders.'],
    }
  } finally {
    await product.destroy()
  }
}

/** New customers greet and choose a menu option until `isOver`. Returns the turns in a second. */
async function playTurns(bench: KindsBench, isOver: () => boolean): Promise<number> {
  const contaId = await bench.createConta()
  const start = performance.now()
  let turns = 0
  const worker = async (): Promise<void> => {
    while (!isOver()) {
      for (const customer of createBenchCustomers(contaId, 1)) {
        await bench.play(customer, KINDS.first)
        await bench.play(customer, KINDS.option)
        turns += 2
      }
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  return turns / ((performance.now() - start) / 1_000)
}

function pricesOf(webhook: number): OficialPrice[] {
  return Array.from({ length: PER_WEBHOOK }, (_, n) => ({
    ...{ wamid: `wamid.bench.${webhook}.${n}`, mensagemId: null, recipient: '5511977770000', at: new Date() },
    ...{ billable: true, type: 'regular', category: 'utility', conversationOrigin: undefined },
  }))
}

/** Webhooks of Meta at a steady pace. Returns the seconds until the last status is counted. */
async function sendStatuses({ botBench }: KindsBench, contaId: string): Promise<number> {
  const countPrices = openPriceCounter(botBench)
  const start = performance.now()
  const counting: Promise<void>[] = []
  for (let webhook = 0; webhook < PRICED / PER_WEBHOOK; webhook += 1) {
    const wait = start + webhook * WEBHOOK_MS - performance.now()
    if (wait > 0) await pause(wait)
    counting.push(countPrices(firstLine(contaId), pricesOf(webhook)))
  }
  await Promise.all(counting)
  return (performance.now() - start) / 1_000
}

async function readCounted({ botBench: { db } }: KindsBench, contaId: string): Promise<number> {
  return db.transaction(contaId, async (tx) => {
    const { rows } = await tx.query<{ total: number }>(
      'select coalesce(sum(mensagens), 0)::int as total from oficial_custos where conta_id = $1',
      [contaId],
    )
    return rows[0]?.total ?? 0
  })
}

interface CostRound {
  readonly seconds: number
  readonly counted: number
  readonly share: number
}

async function playCostRound(bench: KindsBench): Promise<CostRound> {
  const end = performance.now() + ALONE_S * 1_000
  const alone = await playTurns(bench, () => performance.now() > end)
  const contaId = await bench.createConta()
  let over = false
  const playing = playTurns(bench, () => over)
  const seconds = await sendStatuses(bench, contaId).finally(() => (over = true))
  const beside = await playing
  return { seconds, counted: await readCounted(bench, contaId), share: beside / alone }
}

async function measureCosts(): Promise<Section> {
  const bench = await openKindsBench()
  try {
    // The first round warms the process up.
    await playCostRound(bench)
    const rounds: CostRound[] = []
    while (rounds.length < ROUNDS) rounds.push(await playCostRound(bench))
    const [error] = bench.phones.errors()
    if (error !== undefined) throw new Error(error)
    return {
      title: `Orders: ${figure(PRICED)} statuses of Meta with a price, beside turns`,
      lines: [
        atMost('all counted', median(rounds.map(({ seconds }) => seconds)), PRICED_GOAL_S, 's'),
        exactly('messages counted', Math.min(...rounds.map(({ counted }) => counted)), PRICED),
        atLeast('turns beside them, over turns alone', median(rounds.map(({ share }) => share)), 0.9, '×'),
      ],
      notes: [
        `Medians of ${ROUNDS} rounds. First messages and menu options, ${IN_FLIGHT} in flight. A webhook of ${PER_WEBHOOK} statuses each ${WEBHOOK_MS} ms, counted in batches.`,
      ],
    }
  } finally {
    await bench.botBench.close()
  }
}

export async function measurePedidos(): Promise<Section[]> {
  return [await measureBoard(), await measureMenu(), await measureCosts()]
}
