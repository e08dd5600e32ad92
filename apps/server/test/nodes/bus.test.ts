import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest'
import { createPostgresBus, type PostgresBus } from '#adapters/postgres/bus.ts'
import { connectDirect } from '#db/nodes/direct-connection.ts'
import { createVault } from '#security/vault.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

interface TestBus {
  readonly id: string
  readonly bus: PostgresBus
  readonly received: string[]
  readonly gaps: () => number
}

const open: PostgresBus[] = []
afterEach(async () => {
  for (const bus of open.splice(0)) await bus.close()
})

async function startBus({ secret = 'segredo de teste', name = 'outro' } = {}): Promise<TestBus> {
  const id = randomUUID()
  const bus = createPostgresBus({
    connect: () => connectDirect(database.target, { applicationName: `teste ${name}` }),
    ...{ node: id, seal: createVault(secret), log: { warn: () => undefined } },
  })
  const received: string[] = []
  let gaps = 0
  bus.subscribe('conversa', (data) => void received.push(data))
  bus.onGap(() => (gaps += 1))
  await bus.start()
  open.push(bus)
  return { id, bus, received, gaps: () => gaps }
}

const endConnections = (name: string): Promise<unknown> =>
  database.owner.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    `teste ${name}`,
  ])

describe('bus on PostgreSQL', () => {
  it('delivers every packet once and in order, here and on other nodes', async () => {
    const [a, b] = [await startBus(), await startBus()]
    const sent = Array.from({ length: 2_000 }, (_, n) => `${n} ${'x'.repeat(n % 700)}`)
    for (const data of sent) a.bus.publish('conversa', data)
    a.bus.publish('outro', 'para ninguém')
    await expect.poll(() => b.received.length).toBe(sent.length)
    expect(b.received).toEqual(sent)
    expect(a.received).toEqual(sent)
    expect([a.gaps(), b.gaps()]).toEqual([0, 0])
  })

  it('delivers packets of any size and text', async () => {
    const [a, b] = [await startBus(), await startBus()]
    const sent = ['çã€🌻"\\'.repeat(900), 'z'.repeat(2_000_000), '', '🌻'.repeat(1_425), 'fim']
    for (const data of sent) a.bus.publish('conversa', data)
    await expect.poll(() => b.received.length).toBe(sent.length)
    expect(b.received).toEqual(sent)
  })

  it('reports a gap after a broken connection and goes on', async () => {
    const [a, b] = [await startBus(), await startBus({ name: 'b' })]
    a.bus.publish('conversa', 'antes')
    await expect.poll(() => b.received).toEqual(['antes'])
    await endConnections('b')
    await expect.poll(b.gaps).toBe(1)
    expect(b.bus.complete()).toBe(true)
    a.bus.publish('conversa', 'depois')
    await expect.poll(() => b.received).toEqual(['antes', 'depois'])
    b.bus.publish('conversa', 'de b')
    await expect.poll(() => a.received).toEqual(['antes', 'depois', 'de b'])
  })

  it('sends again what a broken connection may have lost, and no packet twice', async () => {
    const [a, b] = [await startBus({ name: 'a' }), await startBus()]
    const sent: string[] = []
    for (let round = 0; round < 20; round += 1) {
      const ended = endConnections('a')
      for (let n = 0; n < 10; n += 1) {
        sent.push(`${round}-${n}`)
        a.bus.publish('conversa', `${round}-${n}`)
        await new Promise((resolve) => setImmediate(resolve))
      }
      await ended
    }
    await expect.poll(() => b.received.length).toBe(sent.length)
    expect(b.received).toEqual(sent)
    expect(b.gaps()).toBe(0)
  })

  it('reports a gap to nodes that missed a dropped packet', async () => {
    const [a, b] = [await startBus(), await startBus()]
    a.bus.publish('conversa', 'primeiro')
    await expect.poll(() => b.received).toEqual(['primeiro'])
    // More than may wait in one task of the event loop.
    for (let n = 0; n <= 20_000; n += 1) a.bus.publish('conversa', 'perdido')
    a.bus.publish('conversa', 'último')
    await expect.poll(() => b.received.at(-1)).toBe('último')
    expect(b.gaps()).toBe(1)
  })

  it('shows no packet to another secret and none in the statements of the database', async () => {
    const secret = 'outro segredo!!!'
    const [a, b] = [await startBus({ name: 'a' }), await startBus()]
    const [stranger, friend] = [await startBus({ secret }), await startBus({ secret })]
    a.bus.publish('conversa', 'palavra-da-cliente')
    await expect.poll(() => b.received).toEqual(['palavra-da-cliente'])
    friend.bus.publish('conversa', 'depois')
    await expect.poll(() => stranger.received).toEqual(['depois'])
    expect(stranger.gaps()).toBe(0)
    const { rows } = await database.owner.query('select query from pg_stat_activity')
    expect(JSON.stringify(rows)).not.toContain('palavra-da-cliente')
  })

  it('reports a gap when another node sent frames that never arrived', async () => {
    const [a, b] = [await startBus(), await startBus()]
    a.bus.publish('conversa', 'um')
    await expect.poll(() => b.received).toEqual(['um'])
    const claims = (recado: number): void => b.bus.compare([{ id: a.id, recado }])
    claims(1)
    claims(1)
    // A frame of the last round may still be on its way.
    claims(2)
    expect(b.gaps()).toBe(0)
    claims(2)
    expect(b.gaps()).toBe(1)
    claims(2)
    expect(b.gaps()).toBe(1)
  })

  it('delivers a frame that its sender counted before it was sent', async () => {
    const [a, b] = [await startBus(), await startBus()]
    b.bus.compare([{ id: a.id, recado: 1 }])
    a.bus.publish('conversa', 'atrasado')
    await expect.poll(() => b.received).toEqual(['atrasado'])
    expect(b.gaps()).toBe(0)
  })

  it('leaves no connection open when it closes while it connects', async () => {
    const name = 'fecha'
    const a = await startBus({ name })
    for (let round = 0; round < 3; round += 1) {
      a.bus.publish('conversa', 'oi')
      await endConnections(name)
    }
    await a.bus.close()
    // Connections that were being opened during the close end a moment later.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const left = async (): Promise<number | null> => {
      const { rowCount } = await database.owner.query('select pid from pg_stat_activity where application_name = $1', [
        `teste ${name}`,
      ])
      return rowCount
    }
    await expect.poll(left).toBe(0)
  })

  it('sends nothing while there is nothing to say', async () => {
    const a = await startBus()
    const position = a.bus.sent()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(a.bus.sent()).toBe(position)
  })
})
