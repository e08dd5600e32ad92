import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#db/transaction.ts'
import { connectBot, givenConta } from '#test/builders.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { PASSWORD, type TestApp, type TestUser, createTestApp, waitUntil } from '#test/app.ts'
import { createQuietShop, expectInTime, type QuietShop } from './quiet-shop.ts'
import { firstLine } from '#db/statement/line.ts'

/** While one address or conta floods, the customer and the operador of another conta are served before the flood ends. */

/** Transactions that no conta asked for: of visitors and for the sessions of tokens. */
let visitors = 0
let mostVisitors = 0

async function countVisitor<T>(one: 0 | 1, work: () => Promise<T>): Promise<T> {
  visitors += one
  mostVisitors = Math.max(mostVisitors, visitors)
  try {
    return await work()
  } finally {
    visitors -= one
  }
}

/** A read over all contas counts as well: of a file or an address, or of a task of the server. */
function countVisitors(db: Database): Database {
  return {
    ...db,
    transaction: (contas, fn, plano) =>
      countVisitor(contas.length === 0 ? 1 : 0, () => db.transaction(contas, fn, plano)),
    read: (contas, fn, plano) => countVisitor(contas === '*' ? 1 : 0, () => db.read(contas, fn, plano)),
  }
}

let database: TestDatabase
let app: TestApp
let loud: TestUser
let shop: TestUser
let quietShop: QuietShop
beforeAll(async () => {
  database = await createTestDatabase()
  app = await createTestApp({ database, db: countVisitors(database.db), trustProxy: true })
  loud = await givenConta(app)
  shop = await givenConta(app)
  await connectBot(loud)
  quietShop = await createQuietShop(shop)
  await app.sql('update contas set limite_mensagens_dia = 1000000')
})
afterAll(async () => {
  await app?.close()
  await database?.drop()
})

interface Flood {
  readonly answered: () => number
  readonly end: Promise<unknown>
}

function flood(times: number, send: (n: number) => Promise<unknown>): Flood {
  let answered = 0
  const requests = Array.from({ length: times }, async (_, n) => {
    await send(n)
    answered += 1
  })
  return { answered: () => answered, end: Promise.all(requests) }
}

const samePhone = (telefone: string) => ({ telefone, endereco: telefone })

describe('load of one conta', () => {
  it('serves another conta while one address asks for 200 resets', async () => {
    mostVisitors = 0
    const resets = flood(200, (n) =>
      app.send('POST', '/auth/esqueci-senha', { body: { email: `x${n}@loja.test` }, ip: '198.51.100.1' }),
    )
    await waitUntil(() => resets.answered() > 0)
    await quietShop.serve()
    expect(resets.answered()).toBeLessThan(200)
    await resets.end
    // Four of visitors; the others read the sessions of the shop.
    expect(mostVisitors).toBeLessThanOrEqual(8)
  })

  it('serves another conta while 200 addresses try wrong passwords', async () => {
    mostVisitors = 0
    const logins = flood(200, (n) =>
      app.send('POST', '/auth/login', {
        body: { email: `y${n}@loja.test`, senha: 'palpite' },
        ip: `198.51.101.${n}`,
      }),
    )
    await waitUntil(() => logins.answered() > 0)
    await quietShop.serve()
    expect(logins.answered()).toBeLessThan(200)
    await logins.end
    // Four of visitors; the others read the sessions of the shop.
    expect(mostVisitors).toBeLessThanOrEqual(8)
  })

  it('admits other networks while 60 lines of one IPv6 network log in', async () => {
    let refused = 0
    const logins = flood(60, async (n) => {
      const body = { email: `z${n}@loja.test`, senha: 'palpite' }
      const { status } = await app.send('POST', '/auth/login', { body, ip: `2001:db8:5:${n}::1` })
      if (status === 429) refused += 1
    })
    await waitUntil(() => refused > 0)
    const body = { email: shop.usuario.email, senha: PASSWORD }
    const others = await Promise.all(
      Array.from({ length: 8 }, (_, n) => app.send('POST', '/auth/login', { body, ip: `2001:db8:6${n}::1` })),
    )
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200))
    await logins.end
  })

  it('reads at most four unknown tokens at once', async () => {
    mostVisitors = 0
    const reads = flood(60, (n) =>
      app.send('GET', '/auth/eu', { token: randomBytes(32).toString('base64url'), ip: `2001:db8:7:${n}::1` }),
    )
    await quietShop.serve()
    await reads.end
    // Four of strangers; the others read the sessions of the shop.
    expect(mostVisitors).toBeLessThanOrEqual(8)
  })

  it('reads at most four files, pictures and webhook addresses of strangers at once', async () => {
    mostVisitors = 0
    const addresses = [
      () => `/midias/${randomBytes(16).toString('hex')}.webp?e=1&a=x`,
      () => `/imagens/${randomBytes(16).toString('hex')}.webp`,
      () => `/webhooks/oficial/${randomBytes(32).toString('base64url')}`,
    ]
    const statuses = new Set<number>()
    const reads = flood(600, async (n) => {
      const { status } = await app.send('GET', addresses[n % 3]?.() ?? '', { ip: `198.51.${104 + (n % 3)}.${n % 200}` })
      statuses.add(status)
    })
    await quietShop.serve()
    await reads.end
    expect([...statuses]).toEqual([404])
    // Four of strangers; the others read the sessions of the shop and the tasks of the server.
    expect(mostVisitors).toBeLessThanOrEqual(10)
  })

  it('serves another conta while 5,000 customers of one conta wait', async () => {
    const crowd = flood(5_000, (n) => {
      const telefone = `55119${30_000_000 + n}`
      const message = { id: `m${n}`, endereco: telefone, telefone, nome: 'Bia', texto: 'oi', enviadaEm: new Date() }
      return app.deps.simulador.receive(firstLine(loud.contaId), message)
    })
    await quietShop.serve()
    expect(crowd.answered()).toBeLessThan(5_000)
    await crowd.end
  })

  it('serves another conta while slow requests of one conta wait and a batch reads its facts again', async () => {
    const requests = flood(200, () =>
      app.deps.db.transaction(loud.contaId, (tx) => tx.query('select pg_sleep(0.05)', [])),
    )
    app.deps.bots.contextChanged(loud.contaId)
    // Both messages arrive in one tick, so they are in one batch.
    const message = { ...{ id: 'b1', nome: 'Bia', texto: 'oi', enviadaEm: new Date() }, ...samePhone('5511966660000') }
    await Promise.all([loud, shop].map(({ contaId }) => app.deps.simulador.receive(firstLine(contaId), message)))
    await quietShop.serve()
    expect(requests.answered()).toBeLessThan(100)
    await requests.end
  })

  it('serves another conta in time while one conta holds its share of the connections', async () => {
    await quietShop.p90(5)
    const quiet = await quietShop.p90()
    let ended = false
    const hold = async (): Promise<void> => {
      while (!ended) await app.deps.db.transaction(loud.contaId, (tx) => tx.query('select pg_sleep(0.2)', []))
    }
    // Refused ones waited too long for a connection.
    const lanes = Array.from({ length: 40 }, () => hold().catch(() => undefined))
    try {
      await expectInTime(quietShop, quiet)
    } finally {
      ended = true
      await Promise.all(lanes)
    }
  })

  it('serves another conta while strangers try random tokens on 100 sockets without a pause', async () => {
    let refused = 0
    const url = `${app.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
    const lines = new Set<WebSocket>()
    let ended = false
    const open = (): void => {
      const line = new WebSocket(url)
      lines.add(line)
      const tryToken = (): void => line.send(`40${JSON.stringify({ token: randomBytes(32).toString('base64url') })}`)
      line.addEventListener('message', ({ data }) => {
        const text = String(data)
        if (text.startsWith('44')) refused += 1
        if (text.startsWith('0') || (text.startsWith('44') && line.readyState === WebSocket.OPEN)) tryToken()
      })
      // The server closes a connection after 50 tokens.
      line.addEventListener('close', () => {
        lines.delete(line)
        if (!ended) open()
      })
    }
    for (let line = 0; line < 100; line += 1) open()
    await waitUntil(() => refused > 200)
    await quietShop.serve()
    const before = refused
    await waitUntil(() => refused > before)
    ended = true
    for (const line of lines) line.close()
  })
})

const STATUS_LINE = 'HTTP/1.1 '

describe('installFloodGuard', () => {
  /** Sends all requests on one connection. Resolves with the number of answers when the server closes it. */
  async function floodFrom(localAddress: string, url: string, times: number, expected = Infinity): Promise<number> {
    const { hostname, port } = new URL(url)
    const line = connect({ host: hostname, port: Number(port), localAddress })
    let answers = 0
    // The end of a packet may hold the first letters of an answer.
    let rest = ''
    line.on('data', (bytes: Buffer) => {
      const text = rest + bytes.toString()
      answers += text.split(STATUS_LINE).length - 1
      rest = text.slice(1 - STATUS_LINE.length)
      if (answers >= expected) line.end()
    })
    line.on('error', () => undefined)
    line.write('GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(times))
    await new Promise((resolve) => line.once('close', resolve))
    return answers
  }

  it('cuts an address that continues after 2,000 refusals, and no other address', async () => {
    const open = await createTestApp({ database, background: false })
    expect(await floodFrom('127.0.0.2', open.url, 20_000)).toBeLessThan(20_000)
    expect(await floodFrom('127.0.0.2', open.url, 1)).toBe(0)
    expect((await fetch(`${open.url}/api/health`)).status).toBe(200)
    // The usual address of a proxy on this machine.
    expect(await floodFrom('127.0.0.1', open.url, 6_000, 6_000)).toBe(6_000)
    expect([200, 429]).toContain((await fetch(`${open.url}/api/health`)).status)
    await open.close()
  })
})
