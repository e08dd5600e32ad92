import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, type TestUser, waitUntil } from '#test/app.ts'
import { createSockets, type TestSocket } from '#test/realtime/sockets.ts'
import { customerSays, givenOperador, openConversas } from '#test/builders.ts'
import { eventually } from '#test/realtime/listen.ts'
import { pause, SHORT } from './faults.ts'
import { useProcesses } from './fixture.ts'
import { givenShop } from './ledger.ts'
import { at, type NodeProcess } from './processes.ts'

const fleet = useProcesses('crossing')
let a: NodeProcess
let b: NodeProcess
beforeAll(async () => {
  const [first, second] = fleet().nodes
  if (first === undefined || second === undefined) throw new Error('a fleet of two has two nodes')
  ;[a, b] = [first, second]
  await untilAcquainted()
})

/** A node reads the rows of the others when it renews its own. */
async function untilAcquainted(): Promise<void> {
  const { owner } = fleet().database
  const { rows } = await owner.query<{ now: Date }>('select clock_timestamp() as now')
  const late = 'select 1 from nos where morto_em is null and visto_em < $1'
  await waitUntil(async () => (await owner.query(late, [rows[0]?.now])).rows.length === 0)
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

function connect({ url }: NodeProcess, user: Pick<TestUser, 'token'>): Promise<TestSocket> {
  const sockets = createSockets(url)
  closing.push(sockets.close)
  return sockets.connect(user)
}

const statusAt = async (node: NodeProcess, user: Pick<TestUser, 'token'>): Promise<number> =>
  (await at(node, user).request('GET', '/auth/eu')).status

/** A conversa of a new customer that the dono serves. */
async function givenConversa(dono: TestUser, telefone: string): Promise<string> {
  // The bot may be moving to the other node.
  await waitUntil(() =>
    customerSays(dono, telefone, 'atendente').then(
      () => true,
      () => false,
    ),
  )
  const { id } = await waitUntil(async () => (await openConversas(dono))[0] ?? null)
  expect((await dono.request('POST', `/atendimento/conversas/${id}/assumir`)).status).toBe(200)
  return id
}

describe('access', () => {
  it('is refused by the other node from the first request after a logout', async () => {
    for (let round = 0; round < (SHORT ? 5 : 200); round += 1) {
      // The product limits the logins of an hour.
      await fleet().database.owner.query('delete from tentativas')
      const login = await a.login(fleet().shop.usuario.email, PASSWORD)
      const { socket } = await connect(b, login)
      expect(await statusAt(b, login)).toBe(200)
      expect((await login.request('POST', '/auth/logout')).status).toBe(204)
      expect(await statusAt(b, login)).toBe(401)
      await waitUntil(() => !socket.connected, 2_000)
    }
  })

  it('is refused by the other node from the first request after a deactivation', async () => {
    const admin = await a.login()
    const shop = await givenShop(a)
    const { socket } = await connect(b, shop)
    expect(await statusAt(b, shop)).toBe(200)
    const { status } = await admin.request('PUT', `/admin/usuarios/${shop.usuario.id}/status`, { status: 'inativo' })
    expect(status).toBe(200)
    expect(await statusAt(b, shop)).not.toBe(200)
    await waitUntil(() => !socket.connected, 2_000)
  })
})

describe('presence', () => {
  it('stays online while a window on one node is open', async () => {
    const { shop } = fleet()
    const operador = await givenOperador({ login: (email) => a.login(email, PASSWORD) }, shop, { nome: 'Otto' })
    const watching = await connect(b, shop)
    const seen = (): unknown[] =>
      watching.received.flatMap(([name, { operador: who, status }]) =>
        name === 'operadorStatusChange' && who === 'Otto' ? [status] : [],
      )
    const [onA, onB] = [await connect(a, operador), await connect(b, operador)]
    await eventually(() => expect(seen()).toEqual(['online']))
    onB.socket.disconnect()
    await pause(1_000)
    expect(seen()).toEqual(['online'])
    onA.socket.disconnect()
    await eventually(() => expect(seen()).toEqual(['online', 'offline']))
  })
})

const RESYNC_MS = 2_000
/** The listening connections. After a silence each sends `select 1`. */
const BREAK_LINES_SQL = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'balcao %' and (query like 'listen %' or query = 'select 1')`

describe('the line between nodes', () => {
  it('carries events again 2 s after it broke, each once', async () => {
    const { shop, database } = fleet()
    const id = await givenConversa(shop, '5511911110004')
    const { socket, received } = await connect(b, shop)
    for (let round = 0; round < (SHORT ? 2 : 20); round += 1) {
      const { rowCount } = await database.owner.query(BREAK_LINES_SQL)
      expect(rowCount).toBe(2)
      await pause(RESYNC_MS)
      await waitUntil(() => socket.connected)
      const mensagem = `rodada ${round}`
      const { status } = await at(a, shop).request('POST', `/atendimento/conversas/${id}/mensagem`, { mensagem })
      expect(status).toBe(200)
      await eventually(() => expect(JSON.stringify(received)).toContain(mensagem))
    }
    const messages = received.filter(([name]) => name === 'mensagemConversaHumana').map((one) => JSON.stringify(one))
    expect(new Set(messages).size).toBe(messages.length)
  })
})

describe('sends on two nodes', () => {
  it('stop at the daily limit of the conta', async () => {
    const shop = await givenShop(a)
    const id = await givenConversa(shop, '5511911110001')
    const { rows } = await fleet().database.owner.query<{ usadas: number }>(
      'select coalesce(sum(usadas), 0)::int as usadas from uso_diario where conta_id = $1',
      [shop.contaId],
    )
    const limiteMensagensDia = (rows[0]?.usadas ?? 0) + 30
    const admin = await a.login()
    await admin.request('POST', `/admin/usuarios/${shop.usuario.id}/limite-mensagens`, { limiteMensagensDia })
    const sends = Array.from({ length: 100 }, (_, n) =>
      at(n % 2 === 0 ? a : b, shop).request('POST', `/atendimento/conversas/${id}/mensagem`, { mensagem: `m${n}` }),
    )
    const statuses = (await Promise.all(sends)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.filter((status) => status === 429)).toHaveLength(70)
  })

  it('store one mensagem for the same temporary id', async () => {
    const { shop, database } = fleet()
    const id = await givenConversa(shop, '5511911110002')
    const idTemporario = randomUUID()
    const send = (node: NodeProcess): Promise<{ readonly status: number }> =>
      at(node, shop).request('POST', `/atendimento/conversas/${id}/mensagem`, { mensagem: 'uma vez', idTemporario })
    const answers = await Promise.all([a, b, a, b].map(send))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { rows } = await database.owner.query("select 1 from mensagens where texto = 'uma vez'")
    expect(rows).toHaveLength(1)
  })

  it('store one mensagem for the same id of a customer', async () => {
    const { shop, database } = fleet()
    const message = { telefone: '5511911110003', nome: 'Bia', texto: 'duas vezes', id: randomUUID() }
    const send = (node: NodeProcess): Promise<{ readonly status: number }> =>
      at(node, shop).request('POST', '/simulador/mensagens', message)
    // The bot may be moving to the other node. Then nothing is stored.
    await waitUntil(async () => {
      const answers = await Promise.all([a, b, a, b].map(send))
      return answers.every(({ status }) => status === 202)
    })
    const { rows } = await database.owner.query('select 1 from mensagens where id_externo = $1', [message.id])
    expect(rows).toHaveLength(1)
  })
})
