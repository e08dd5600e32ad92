import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { createDatabase, type Database } from '#db/transaction.ts'
import { connectBot } from '#test/builders.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'
import { firstLine } from '#db/statement/line.ts'

/** A database without free connections answers 503 and recovers. Leases, readiness and shutdown do not need the pool. */

const VAGAS = 16

let database: TestDatabase
let db: Database
let reservedDb: Database
let app: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  const log = { error: () => undefined }
  const open = (max: number): Database =>
    createDatabase({ pool: createPool(database.target, { role: APP_ROLE, max, waitMs: 2_000 }), log })
  db = open(VAGAS)
  reservedDb = open(3)
  const timings = { renewMs: 100, drainMs: 50 }
  app = await createTestApp({ database: { ...database, db }, reservedDb, timings })
  await connectBot(app)
})
afterAll(async () => {
  await app?.close()
  await reservedDb?.end()
  await db?.end()
  await database?.drop()
})

/** Runs `during` while transactions hold every connection of the pool. */
async function whilePoolIsHeld(during: () => Promise<void>): Promise<void> {
  const { promise: loose, resolve: release } = Promise.withResolvers<void>()
  let taken = 0
  const held = Array.from({ length: VAGAS }, () =>
    app.deps.db.transaction('*', async (tx) => {
      await tx.query('select 1', [])
      taken += 1
      await loose
    }),
  )
  try {
    await waitUntil(() => taken === VAGAS)
    await during()
  } finally {
    release()
    await Promise.all(held)
  }
}

async function leaseOf(): Promise<{ no: unknown; until: number }> {
  const [row] = await app.sql('select b.no, n.expira from bots b left join nos n on n.id = b.no')
  return { no: row?.['no'], until: row?.['expira'] instanceof Date ? row['expira'].getTime() : 0 }
}

it('answers 503 without details while the pool has no free connection', async () => {
  await whilePoolIsHeld(async () => {
    expect(await app.request('GET', '/produtos')).toEqual({
      status: 503,
      body: { erro: 'O servidor está temporariamente indisponível. Tente novamente.', codigo: 'bancoIndisponivel' },
    })
    expect((await app.request('GET', '/health')).status).toBe(200)
  })
  expect((await app.request('GET', '/produtos')).status).toBe(200)
})

it('renews its row and stays ready while the pool has no free connection', async () => {
  await whilePoolIsHeld(async () => {
    // A renewal that began before the pool was full may still end.
    for (let renewals = 0; renewals < 3; renewals += 1) {
      const { until } = await leaseOf()
      await waitUntil(async () => (await leaseOf()).until > until, 5_000)
    }
    expect((await app.request('GET', '/ready')).body).toMatchObject({ sucesso: true, banco: true, bots: true })
  })
})

it('releases the leases at shutdown while the pool is full and messages wait', async () => {
  expect((await leaseOf()).no).not.toBeNull()
  await whilePoolIsHeld(async () => {
    const message = { id: 'm1', telefone: '5511912345678', endereco: '5511912345678', nome: 'Bia', texto: 'oi' }
    const waiting = app.deps.simulador.receive(firstLine(app.admin.contaId), { ...message, enviadaEm: new Date() })
    waiting.catch(() => undefined)
    for (const { name, close } of app.server.parts.slice(0, 3)) {
      expect(['sockets', 'http', 'bots']).toContain(name)
      await close()
    }
    expect((await leaseOf()).no).toBeNull()
  })
})
