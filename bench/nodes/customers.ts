import { connectDirect } from '@balcao/server/bench'
import { createApiClient } from '@balcao/e2e/api.ts'
import { until } from '@balcao/e2e/ready-conta.ts'
import { pause, percentile } from '../messages/meters.ts'
import { atMost, figure, type Line, type Section, shown } from '../report.ts'
import { type BenchServer, createBots, createFleet, withServer } from './processes.ts'

/** Customers of each conta. */
const SIZES = [6_000, 2_500, 1_000, 400, 100]
const CUSTOMERS = SIZES.reduce((sum, size) => sum + size, 0)
const SECONDS = 60
const WARM_UP = 100
const FACTOR_MAX = 2

type Client = Awaited<ReturnType<typeof connectDirect>>

/**
 * A row of `saida` is deleted when the phone has the message, so its deletion times the answer without a request that
 * would delay the others. All clocks are those of this machine.
 */
const TIMES_SQL = `
create schema prova;
create table prova.entregues (endereco text, em timestamptz not null default clock_timestamp());
create function prova.anotar() returns trigger language plpgsql security definer as $$
begin
  insert into prova.entregues (endereco) select endereco from apagadas;
  return null;
end $$;
create trigger prova_entregues after delete on saida referencing old table as apagadas
  for each statement execute function prova.anotar();
update contas set limite_mensagens_dia = 1000000, versao_contexto = versao_contexto + 1;`

interface Arrival {
  readonly conta: number
  readonly telefone: string
}

/** Each conta's customers arrive evenly over the whole time. */
function arrivals(firstCustomer: number, sizes: readonly number[]): Arrival[] {
  let customer = firstCustomer
  return sizes
    .flatMap((size, conta) => Array.from({ length: size }, (_, n) => ({ conta, at: (n + 0.5) / size })))
    .toSorted((a, b) => a.at - b.at)
    .map(({ conta }) => ({ conta, telefone: `55119${String(40_000_000 + customer++)}` }))
}

/** Posts the arrivals in turn on both nodes. Returns when each was sent, in ms since 1970. */
async function post(
  posts: readonly ((conta: number, body: object) => Promise<unknown>)[],
  coming: readonly Arrival[],
  seconds: number,
): Promise<ReadonlyMap<string, number>> {
  const sentAt = new Map<string, number>()
  const running: Promise<unknown>[] = []
  const begin = performance.now()
  for (const [n, { conta, telefone }] of coming.entries()) {
    const wait = begin + (n * seconds * 1_000) / coming.length - performance.now()
    if (wait > 0) await pause(wait)
    sentAt.set(telefone, performance.timeOrigin + performance.now())
    const send = posts[n % posts.length]
    if (send !== undefined) running.push(send(conta, { telefone, nome: `Cliente ${n}`, texto: 'oi' }))
  }
  await Promise.all(running)
  return sentAt
}

/** When the last message of each answer had left, in ms since 1970. */
async function answeredAt(client: Client, customers: number): Promise<ReadonlyMap<string, number>> {
  const sql = `select regexp_replace(endereco, '[^0-9]', '', 'g') as telefone,
    (extract(epoch from max(em)) * 1000)::float8 as em from prova.entregues group by 1`
  const waiting = async (): Promise<boolean> => {
    const { rows } = await client.query<{ n: number }>('select count(*)::int as n from saida')
    return rows[0]?.n === 0
  }
  await until(waiting, 200)
  const { rows } = await client.query<{ telefone: string; em: number }>(sql)
  if (rows.length !== customers) throw new Error(`${rows.length} of ${customers} customers have an answer`)
  return new Map(rows.map(({ telefone, em }) => [telefone, em]))
}

function lines(times: ReadonlyMap<number, readonly number[]>): Line[] {
  const p95s = SIZES.map((_, conta) => percentile(times.get(conta) ?? [], 95))
  const factor = Math.max(...p95s) / percentile(p95s, 50)
  return [
    ...SIZES.map((size, conta) =>
      shown(
        `conta with ${figure(size)} customers: answered, p50 / p95`,
        `${figure(percentile(times.get(conta) ?? [], 50))} / ${figure(p95s[conta] ?? 0, 'ms')}`,
      ),
    ),
    atMost('p95 of the slowest conta over that of the median', factor, FACTOR_MAX, '×'),
  ]
}

async function measureOn({ server }: BenchServer): Promise<Section[]> {
  const fleet = createFleet(server, { REQUISICOES_POR_CONTA: '10000' })
  const client = await connectDirect(server.target)
  try {
    const nodes = [await fleet.add(), await fleet.add()]
    const tokens = await createBots(nodes, SIZES.length)
    await client.query(TIMES_SQL)
    const posts = nodes.map(({ url }) => {
      const apis = tokens.map((token) => createApiClient(url, token, 'aberta'))
      return async (conta: number, body: object) => apis[conta]?.post('/simulador/mensagens', body)
    })
    await post(
      posts,
      arrivals(
        CUSTOMERS,
        SIZES.map(() => WARM_UP),
      ),
      5,
    )
    await answeredAt(client, WARM_UP * SIZES.length)
    await client.query('truncate prova.entregues')
    const coming = arrivals(0, SIZES)
    const sentAt = await post(posts, coming, SECONDS)
    const answered = await answeredAt(client, CUSTOMERS)
    const byConta = Map.groupBy(coming, ({ conta }) => conta)
    const timeOf = ({ telefone }: Arrival): number => (answered.get(telefone) ?? 0) - (sentAt.get(telefone) ?? 0)
    const times = new Map([...byConta].map(([conta, all]) => [conta, all.map(timeOf)]))
    return [
      {
        title: `Nodes: ${figure(CUSTOMERS)} customers of ${SIZES.length} contas on two nodes`,
        lines: lines(times),
        notes: [
          `Each customer writes once, ${figure(Math.round(CUSTOMERS / SECONDS))} a second in all, by HTTP and in turn on both nodes. Answered: two messages were sent and are marked as sent.`,
        ],
      },
    ]
  } finally {
    await client.end()
    await fleet.close()
  }
}

export function measureCustomers(): Promise<Section[]> {
  return withServer({ max_connections: '200' }, measureOn)
}
