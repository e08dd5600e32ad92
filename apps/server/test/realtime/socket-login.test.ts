import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#db/transaction.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp } from '#test/app.ts'

/** Maximum of parallel transactions since the last reset. */
let juntas = 0
let now = 0

function contar(db: Database): Database {
  return {
    ...db,
    transaction: async (contas, fn, plano) => {
      now += 1
      juntas = Math.max(juntas, now)
      try {
        return await db.transaction(contas, fn, plano)
      } finally {
        now -= 1
      }
    },
  }
}

let database: TestDatabase
let casa: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  casa = await createTestApp({
    database: database,
    db: contar(database.db),
    timings: { renewMs: 60_000, searchMs: 60_000 },
  })
})
afterAll(async () => {
  await casa?.close()
  await database?.drop()
})

const TENTATIVAS = 300

it('limits database load when one socket tries hundreds of unknown tokens', async () => {
  const line = new WebSocket(`${casa.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  let refusals = 0
  juntas = 0
  await new Promise<void>((resolve, reject) => {
    line.addEventListener('error', () => reject(new Error('connection failed')))
    line.addEventListener('close', () => reject(new Error('connection closed')))
    line.addEventListener('message', ({ data }) => {
      const text = String(data)
      if (text.startsWith('0')) {
        for (let i = 0; i < TENTATIVAS; i += 1) {
          line.send(`40${JSON.stringify({ token: randomBytes(32).toString('base64url') })}`)
        }
      }
      if (text.startsWith('44')) refusals += 1
      if (refusals === TENTATIVAS) resolve()
    })
  })
  expect(juntas).toBeGreaterThan(0)
  // Four for the sockets, the others for background work.
  expect(juntas).toBeLessThanOrEqual(8)
  expect((await casa.request('GET', '/auth/eu')).status).toBe(200)
  line.close()
})
