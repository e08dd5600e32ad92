import { randomBytes } from 'node:crypto'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#db/transaction.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp } from '#test/app.ts'
import { connected, eventually } from '#test/realtime/listen.ts'

/** Maximum of parallel transactions since the last reset. */
let juntas = 0
let now = 0
/** Holds transactions back while set. */
let held: Promise<void> | undefined

function contar(db: Database): Database {
  return {
    ...db,
    transaction: async (contas, fn, plano) => {
      now += 1
      juntas = Math.max(juntas, now)
      try {
        await held
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
    trustProxy: true,
    timings: { renewMs: 60_000, searchMs: 60_000 },
  })
})
afterAll(async () => {
  await casa?.close()
  await database?.drop()
})

const TENTATIVAS = 300

/** Shows `times` unknown tokens on one line. `refused` counts the answers. */
async function strangersLine(times: number): Promise<{ refused: () => number; close: () => void }> {
  const line = new WebSocket(`${casa.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  let refusals = 0
  await new Promise<void>((resolve, reject) => {
    line.addEventListener('error', () => reject(new Error('connection failed')))
    line.addEventListener('close', () => reject(new Error('connection closed')))
    line.addEventListener('message', ({ data }) => {
      const text = String(data)
      if (text.startsWith('0')) {
        for (let i = 0; i < times; i += 1) {
          line.send(`40${JSON.stringify({ token: randomBytes(32).toString('base64url') })}`)
        }
        resolve()
      }
      if (text.startsWith('44')) refusals += 1
    })
  })
  return { refused: () => refusals, close: () => line.close() }
}

it('limits database load when one socket tries hundreds of unknown tokens', async () => {
  juntas = 0
  const line = await strangersLine(TENTATIVAS)
  await eventually(() => expect(line.refused()).toBe(TENTATIVAS))
  expect(juntas).toBeGreaterThan(0)
  // Four for the sockets, the others for background work.
  expect(juntas).toBeLessThanOrEqual(8)
  expect((await casa.request('GET', '/auth/eu')).status).toBe(200)
  line.close()
})

it('lets 200 logins of one address wait and admits a socket from another', async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  held = promise
  const line = await strangersLine(TENTATIVAS)
  const extraHeaders = { 'x-forwarded-for': '198.51.100.80' }
  const socket = io(casa.url, { auth: { token: casa.admin.token }, transports: ['websocket'], extraHeaders })
  try {
    const joined = connected(socket)
    // Four run and 200 wait.
    await eventually(() => expect(line.refused()).toBe(TENTATIVAS - 204))
    release()
    await joined
    await eventually(() => expect(line.refused()).toBe(TENTATIVAS))
  } finally {
    held = undefined
    release()
    socket.disconnect()
    line.close()
  }
})
