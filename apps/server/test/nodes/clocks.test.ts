import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DatabaseClock } from '#db/nodes/database-clock.ts'
import { createIds } from '#ids.ts'
import { uuidTime } from '#lib/time.ts'
import { readSeries } from '#test/metrics.ts'
import { sendRequest, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, customerSays, givenConta } from '#test/builders.ts'
import { createFleet, type FleetNode, type TestFleet } from './fleet.ts'

const SHIFTS_MS = [0, 5_000, -5_000, 3_600_000, -3_600_000]
const PHONE = '5511987650001'
/** A slow machine delays an answer of the database, not its own clock. */
const TOLERANCE_MS = 1_000

let fleet: TestFleet
let shifted: readonly FleetNode[]
let dona: TestUser
beforeAll(async () => {
  fleet = await createFleet(1)
  const [first] = fleet.nodes
  if (first === undefined) throw new Error('a fleet of one has a node')
  dona = await givenConta(first.app)
  await connectBot(dona)
  const nodes: FleetNode[] = []
  for (const ms of SHIFTS_MS) nodes.push(await startShifted(ms))
  shifted = nodes
})
afterAll(() => fleet.close())

async function startShifted(ms: number): Promise<FleetNode> {
  const clock = new DatabaseClock({ system: () => Date.now() + ms, log: { warn: () => undefined } })
  await waitUntil(async () => {
    await clock.follow(fleet.database.owner)
    return Math.abs(clock.now().getTime() - (await databaseTime())) < TOLERANCE_MS
  })
  return fleet.start({ clock, ids: createIds(clock) })
}

/** The login of the dona on a node. */
function at({ app }: FleetNode): Pick<TestUser, 'request'> {
  const { token } = dona
  return { request: (method, path, body) => sendRequest(app.url, method, path, { token, body }) }
}

const botTexts = async (): Promise<string[]> =>
  (await chatOf(dona, PHONE)).filter(({ de }) => de === 'bot').map(({ texto }) => texto)

async function databaseTime(): Promise<number> {
  const { rows } = await fleet.database.owner.query<{ agora: Date }>('select clock_timestamp() as agora')
  return rows[0]?.agora.getTime() ?? 0
}

interface Stored {
  readonly id: string
  readonly texto: string
  readonly direcao: string
  readonly criada_em: Date
}

async function storedMensagens(): Promise<Stored[]> {
  const { rows } = await fleet.database.owner.query<Stored>(
    'select id, texto, direcao, criada_em from mensagens order by id',
  )
  return rows
}

describe('nodes with different clocks', () => {
  it('store and send the messages of one customer in order, with the time of the database', async () => {
    const since = await databaseTime()
    await customerSays(dona, PHONE, 'oi')
    const said = ['oi']
    for (const node of [...shifted, ...shifted]) {
      said.push('menu')
      await customerSays(at(node), PHONE, 'menu')
    }
    const stored = await storedMensagens()
    const answers = stored.filter(({ direcao }) => direcao === 'saida').map(({ texto }) => texto)
    await waitUntil(async () => (await botTexts()).length === answers.length)
    const until = await databaseTime()
    expect(await botTexts()).toEqual(answers)
    expect(stored.filter(({ direcao }) => direcao === 'entrada').map(({ texto }) => texto)).toEqual(said)
    const times = stored.flatMap(({ id, criada_em: at }) => [at.getTime(), uuidTime(id)])
    expect(Math.min(...times)).toBeGreaterThanOrEqual(since - TOLERANCE_MS)
    expect(Math.max(...times)).toBeLessThanOrEqual(until + TOLERANCE_MS)
  })

  it('show how far the clock of the system is off', async () => {
    for (const [index, { app }] of shifted.entries()) {
      const ahead = await readSeries(app, 'balcao_relogio_desvio_segundos')
      expect(Math.abs(ahead * 1_000 - (SHIFTS_MS[index] ?? 0))).toBeLessThan(TOLERANCE_MS)
    }
  })

  it('follow the database when it reads another time', async () => {
    const [node] = shifted
    if (node === undefined) throw new Error('no node')
    const { clock } = node.app.deps
    const before = clock.now().getTime()
    clock.observe?.(new Date(before + 3_600_000), performance.now())
    expect(clock.now().getTime() - before).toBeGreaterThanOrEqual(3_600_000)
    // The next renewal corrects it.
    await waitUntil(() => clock.now().getTime() - before < 3_000_000)
  })
})
