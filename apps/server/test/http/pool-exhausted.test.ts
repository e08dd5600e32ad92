import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { APP_ROLE } from '#db/migrate.ts'
import { createDatabase, type Database } from '#db/transaction.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'

/** A database without free connections answers 503 and recovers. */

const VAGAS = 8

let database: TestDatabase
let db: Database
let casa: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  const pool = createPool(database.target, { role: APP_ROLE, max: VAGAS, waitMs: 2_000 })
  db = createDatabase({ pool, log: { error: () => undefined } })
  casa = await createTestApp({ database: { ...database, db } })
})
afterAll(async () => {
  await casa?.close()
  await db?.end()
  await database?.drop()
})

it('answers 503 without details while the pool has no free connection', async () => {
  let release = (): void => undefined
  const loose = new Promise<void>((resolve) => {
    release = resolve
  })
  let taken = 0
  const seguras = Array.from({ length: VAGAS }, () =>
    casa.deps.db.transaction('*', async (tx) => {
      await tx.query('select 1', [])
      taken += 1
      await loose
    }),
  )
  try {
    await waitUntil(() => Promise.resolve(taken === VAGAS))
    expect(await casa.request('GET', '/produtos')).toEqual({
      status: 503,
      body: { erro: 'O servidor está temporariamente indisponível. Tente novamente.', codigo: 'bancoIndisponivel' },
    })
    expect((await casa.request('GET', '/health')).status).toBe(200)
  } finally {
    release()
    await Promise.all(seguras)
  }
  expect((await casa.request('GET', '/produtos')).status).toBe(200)
})
