import type { WebSocket } from 'ws'
import { connectDirect, findEmbedded } from '@balcao/server/bench'
import { type ApiClient, createApiClient } from '@balcao/e2e/api.ts'
import { type Product, startProduct } from '@balcao/e2e/product.ts'
import { at, DONA, prepareContaWithBot, type ReadyConta, until } from '@balcao/e2e/ready-conta.ts'
import { percentile } from '../messages/meters.ts'
import { atMost, exactly, figure, type Section, shown } from '../report.ts'
import { createOperadores, fillWaiting } from './customers.ts'
import { openWindow } from './fan-out.ts'
import { readSteadily } from './import.ts'

const CONVERSAS = 10_000
const PEOPLE = 20
/** The largest capacity. */
const CAPACITY = 50
const FULL = PEOPLE * CAPACITY
const ALONE_MS = 8_000
const COUNT_MS = 250
const EVENT_PREFIX = '42["conversaAssumida",'

/** A person with a window. Finishes the conversas in the order in which they come, once `open` is called. */
class Person {
  readonly #api: ApiClient
  #waiting: string[] = []
  #running: Promise<void> | null = null
  #open = false
  received = 0

  constructor(api: ApiClient) {
    this.#api = api
  }

  readonly assigned = (conversaId: string): void => {
    this.received += 1
    this.#waiting.push(conversaId)
    if (this.#open) this.open()
  }

  readonly open = (): void => {
    this.#open = true
    this.#running ??= this.#work()
  }

  async stop(): Promise<void> {
    this.#waiting = []
    await this.#running
  }

  async #work(): Promise<void> {
    for (let id = this.#waiting.shift(); id !== undefined; id = this.#waiting.shift()) {
      await this.#api.post(`/atendimento/conversas/${id}/finalizar`)
    }
    this.#running = null
  }
}

interface Team {
  readonly people: readonly Person[]
  readonly windows: readonly WebSocket[]
}

async function gather(product: Product, loja: ReadyConta): Promise<Team> {
  const people: Person[] = []
  const windows: WebSocket[] = []
  for (const { id, token } of await createOperadores(product, loja, PEOPLE)) {
    const person = new Person(createApiClient(product.url, token, 'aberta'))
    const onFrame = (frame: string): void => {
      if (!frame.startsWith(EVENT_PREFIX)) return
      const [, data]: unknown[] = JSON.parse(frame.slice(2))
      if (at(data, 'operadorId') === id) person.assigned(String(at(data, 'conversaId')))
    }
    people.push(person)
    windows.push(await openWindow(product.url, token, onFrame))
  }
  return { people, windows }
}

/** Counts the conversas of the busiest person until `done`. */
async function watchCapacity(product: Product, done: () => boolean): Promise<number> {
  const target = await findEmbedded(product)
  if (target === null) throw new Error('product without a database')
  const client = await connectDirect(target)
  let most = 0
  await until(async () => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*) as n from conversas where status = 'em_atendimento' group by operador_id order by 1 desc limit 1`,
    )
    most = Math.max(most, Number(rows[0]?.n ?? 0))
    return done()
  }, COUNT_MS)
  await client.end()
  return most
}

async function startDistribution({ apis: [api] }: ReadyConta): Promise<void> {
  const config = at(await api?.get('/config'), 'config')
  const atendimento = at(config, 'atendimento')
  const distribuicao = { modo: 'automatica', capacidade: CAPACITY, semRespostaMinutos: 0 }
  await api?.put('/config', { ...Object(config), atendimento: { ...Object(atendimento), distribuicao } })
}

/** Gives 10,000 waiting conversas to 20 people. They finish them once all have as many as they may. */
export async function measureDistribution(): Promise<Section[]> {
  const product = await startProduct({ LOG_LEVEL: 'error', REQUISICOES_POR_CONTA: '10000' })
  try {
    const loja = await prepareContaWithBot(product, {
      ...{ limiteMensagensDia: 1_000_000, logins: 5, menu: { digitando: false } },
    })
    const other = await prepareContaWithBot(product, { dona: { ...DONA, email: 'outra@loja.test' } })
    await fillWaiting(loja, CONVERSAS)
    const { people, windows } = await gather(product, loja)
    const end = performance.now() + ALONE_MS
    const alone = await readSteadily(product.url, other, () => performance.now() > end)
    const assigned = (): number => people.reduce((total, { received }) => total + received, 0)
    const done = (): boolean => assigned() >= CONVERSAS
    const [watched, reads] = [watchCapacity(product, done), readSteadily(product.url, other, done)]
    const start = performance.now()
    await startDistribution(loja)
    await until(() => assigned() >= FULL, 5)
    const full = performance.now()
    for (const person of people) person.open()
    await until(done, 5)
    const seconds = (performance.now() - start) / 1_000
    const [most, during] = await Promise.all([watched, reads])
    for (const window of windows) window.close()
    await Promise.all(people.map((person) => person.stop()))
    const received = people.map((person) => person.received)
    return [
      {
        title: `People: distribution of ${figure(CONVERSAS)} waiting conversations to ${PEOPLE} people`,
        lines: [
          shown(`the first ${figure(FULL)}, until all people are full`, figure((full - start) / 1_000, 's')),
          shown('the same, assigned', figure((FULL * 1_000) / (full - start), 'conversations/s')),
          shown('all, while the people finish theirs', figure(seconds, 's')),
          shown('the same, assigned', figure(CONVERSAS / seconds, 'conversations/s')),
          exactly('assigned', assigned(), CONVERSAS),
          atMost('conversations of one person at the same time', most, CAPACITY, ''),
          shown('conversations of one person in total', `${Math.min(...received)} to ${Math.max(...received)}`),
          shown("another account's list alone, p50", figure(percentile(alone, 50), 'ms')),
          shown("another account's list alone, p95", figure(percentile(alone, 95), 'ms')),
          shown('the same during it, p50', figure(percentile(during, 50), 'ms')),
          shown('the same during it, p95', figure(percentile(during, 95), 'ms')),
        ],
      },
    ]
  } finally {
    await product.destroy()
  }
}
