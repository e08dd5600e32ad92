import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Lease, takeLeases, unwantBot } from '#modules/bot/index.ts'
import { createSessionKeys } from '#bot/session/host.ts'
import { createMetrics } from '#http/ops/metrics/metrics.ts'
import { createCrashPoints } from '#lib/crash-points.ts'
import { createVault } from '#security/vault.ts'
import { type TestRuntime, createTestRuntime, startIdleNode } from '#test/bot/test-runtime.ts'
import { firstLine } from '#db/statement/line.ts'

/** Session keys in the database: who may write them and that they are sealed. */

let runtime: TestRuntime
let contaId: string
let nodes: readonly string[] = []

beforeAll(async () => {
  runtime = await createTestRuntime()
  nodes = [await startIdleNode(runtime), await startIdleNode(runtime)]
})
afterAll(() => runtime.close())
beforeEach(async () => {
  contaId = await runtime.givenConta()
  await sql(`insert into bots (conta_id, desejado, conector, credenciais) values ($1, true, 'whatsapp', '"seladas"')`)
})

const sql = async (text: string, ...mais: unknown[]): Promise<Record<string, unknown>[]> =>
  (await runtime.database.owner.query<Record<string, unknown>>(text, [contaId, ...mais])).rows

async function tomar(no = nodes[0] ?? ''): Promise<Lease> {
  await sql('update bots set no = null where conta_id = $1')
  const [lease] = await runtime.database.db.transaction(contaId, (tx) =>
    takeLeases(tx, { no, linhaId: contaId, max: 1, fresh: true }),
  )
  if (lease === undefined) throw new Error('no lease')
  return lease
}

const open = (lease: Lease) =>
  createSessionKeys(
    {
      ...{ db: runtime.database.db, vault: createVault('segredo de teste'), metrics: createMetrics() },
      crashPoint: createCrashPoints(undefined),
      log: pino({ level: 'silent' }),
    },
    lease,
  )

const key = (id: string, valor: string | null) => ({ tipo: 'session', id, valor })
const content = async () => ({
  chaves: await sql('select tipo, id from whatsapp_chaves where conta_id = $1 order by id'),
  chegadas: await sql('select id from whatsapp_chegadas where conta_id = $1 order by ordem'),
})

describe('ChavesDaSessao', () => {
  it('writes and deletes keys together with journal entries', async () => {
    const keys = open(await tomar())
    await keys.write([key('1', 'um'), key('2', 'dois')], [])
    await keys.write([key('1', null), key('2', 'dois outra vez'), key('3', 'três')], [{ id: 'm1', valor: 'oi' }])
    expect([...(await keys.read('session', ['1', '2', '3']))]).toEqual(
      expect.arrayContaining([
        ['2', 'dois outra vez'],
        ['3', 'três'],
      ]),
    )
    expect(await keys.read('pre-key', ['2'])).toEqual(new Map())
    expect(await keys.listEntries()).toEqual([{ id: 'm1', valor: 'oi' }])
    await keys.completeEntry('m1')
    expect(await keys.listEntries()).toEqual([])
  })

  it('seals values and binds them to their id', async () => {
    const keys = open(await tomar())
    await keys.write([key('1', 'chave privada')], [{ id: 'm1', valor: 'o que a Ana disse' }])
    const [line] = await sql('select valor from whatsapp_chaves where conta_id = $1')
    expect(line?.['valor']).toMatch(/^selado:/)
    await sql(`update whatsapp_chaves set id = '2' where conta_id = $1`)
    expect(await keys.read('session', ['2'])).toEqual(new Map())
  })

  it('leaves out keys and messages that cannot be read, and returns those behind them', async () => {
    const keys = open(await tomar())
    await keys.write(
      [key('1', 'um'), key('2', 'dois')],
      ['m1', 'm2', 'm3'].map((id) => ({ id, valor: id })),
    )
    const damaged = `selado:k1:${Buffer.alloc(60).toString('base64')}`
    await sql(`update whatsapp_chaves set valor = $2 where conta_id = $1 and id = '1'`, damaged)
    await sql(`update whatsapp_chegadas set valor = $2 where conta_id = $1 and id = 'm1'`, damaged)
    expect(await keys.read('session', ['1', '2'])).toEqual(new Map([['2', 'dois']]))
    expect((await keys.listEntries()).map(({ id }) => id)).toEqual(['m2', 'm3'])
    await keys.write([key('1', 'de novo')], [])
    expect((await keys.read('session', ['1'])).get('1')).toBe('de novo')
  })

  it('rejects every write after the lease is lost', async () => {
    const old = open(await tomar())
    await old.write([key('1', 'um')], [])
    const fresh = open(await tomar(nodes[1]))
    const before = await content()
    await expect(old.write([key('1', null), key('2', 'dois')], [{ id: 'm', valor: 'oi' }])).rejects.toThrow('lease')
    await expect(old.clear()).rejects.toThrow('lease')
    expect(await content()).toEqual(before)
    await fresh.write([key('2', 'dois')], [])
    expect((await content()).chaves).toHaveLength(2)
    await fresh.clear()
    expect((await content()).chaves).toEqual([])
  })

  it('deletes the keys when the session is cleared and keeps the journal', async () => {
    const keys = open(await tomar())
    await keys.write([key('1', 'um')], [{ id: 'm1', valor: 'oi' }])
    await runtime.database.db.transaction(contaId, (tx) => unwantBot(tx, firstLine(contaId), { esquecer: true }))
    await expect(keys.write([key('2', 'dois')], [])).rejects.toThrow('lease')
    expect(await content()).toEqual({ chaves: [], chegadas: [{ id: 'm1' }] })
  })
})
