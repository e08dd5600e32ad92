import { randomBytes } from 'node:crypto'
import { io } from 'socket.io-client'
import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
let app: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  app = await createTestApp({
    database: database,
    db: contar(database.db),
    trustProxy: true,
    timings: { renewMs: 60_000, searchMs: 60_000 },
  })
})
afterAll(async () => {
  await app?.close()
  await database?.drop()
})

const LINES = 10
const TOKENS_PER_LINE = 30
const TENTATIVAS = LINES * TOKENS_PER_LINE

interface Strangers {
  readonly refused: () => number
  readonly close: () => void
}

/** Sends unknown tokens over `LINES` sockets of one address. `refused` counts the refusals. */
async function strangers(): Promise<Strangers> {
  let refusals = 0
  const lines = await Promise.all(Array.from({ length: LINES }, () => strangersLine(() => void (refusals += 1))))
  return { refused: () => refusals, close: () => lines.forEach((line) => line.close()) }
}

async function strangersLine(onRefusal: () => void): Promise<WebSocket> {
  const line = new WebSocket(`${app.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  await new Promise<void>((resolve, reject) => {
    line.addEventListener('error', () => reject(new Error('connection failed')))
    line.addEventListener('close', () => reject(new Error('connection closed')))
    line.addEventListener('message', ({ data }) => {
      const text = String(data)
      if (text.startsWith('0')) {
        for (let i = 0; i < TOKENS_PER_LINE; i += 1) {
          line.send(`40${JSON.stringify({ token: randomBytes(32).toString('base64url') })}`)
        }
        resolve()
      }
      if (text.startsWith('44')) onRefusal()
    })
  })
  return line
}

it('limits database load when one address tries hundreds of unknown tokens', async () => {
  juntas = 0
  const line = await strangers()
  await eventually(() => expect(line.refused()).toBe(TENTATIVAS))
  expect(juntas).toBeGreaterThan(0)
  // Four for the sockets, the others for background work.
  expect(juntas).toBeLessThanOrEqual(8)
  expect((await app.request('GET', '/auth/eu')).status).toBe(200)
  line.close()
})

it('lets 200 logins of one address wait and admits a socket from another', async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  held = promise
  const line = await strangers()
  const extraHeaders = { 'x-forwarded-for': '198.51.100.80' }
  const socket = io(app.url, { auth: { token: app.admin.token }, transports: ['websocket'], extraHeaders })
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

const openSchema = z.object({ sid: z.string() })

describe('limitPackets', () => {
  const SEPARATOR = '\u001e'
  const polling = (sid?: string): string =>
    `${app.url}/socket.io/?EIO=4&transport=polling${sid === undefined ? '' : `&sid=${sid}`}`

  async function openPolling(): Promise<string> {
    const text = await (await fetch(polling())).text()
    return openSchema.parse(JSON.parse(text.slice(1))).sid
  }

  it('answers at most 50 of 1,000 packets of one request and ends its session', async () => {
    const sid = await openPolling()
    const answers = fetch(polling(sid)).then(
      (reply) => reply.text(),
      () => '',
    )
    const body = Array.from({ length: 1_000 }, () => '40').join(SEPARATOR)
    await fetch(polling(sid), { method: 'POST', body }).catch(() => undefined)
    expect((await answers).split(SEPARATOR).filter((packet) => packet.startsWith('44')).length).toBeLessThanOrEqual(50)
    expect((await fetch(polling(sid))).status).toBe(400)
    expect((await app.send('GET', '/health')).status).toBe(200)
  })

  it('refuses a message above 4 KB', async () => {
    const sid = await openPolling()
    const { status } = await fetch(polling(sid), { method: 'POST', body: `40${'1'.repeat(5_000)}{}` })
    expect(status).toBe(413)
  })
})

describe('countNewcomers', () => {
  it('refuses the connection after 200 without a token, and none of another address', async () => {
    const open = async (ip: string): Promise<number> =>
      (await fetch(`${app.url}/socket.io/?EIO=4&transport=polling`, { headers: { 'x-forwarded-for': ip } })).status
    for (let i = 0; i < 200; i += 1) expect(await open('198.51.100.90')).toBe(200)
    expect(await open('198.51.100.90')).toBe(403)
    expect(await open('198.51.100.91')).toBe(200)
  })

  it('refuses an address that opens and closes hundreds of connections', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.92' }
    const openAndClose = async (): Promise<boolean> => {
      const url = `${app.url}/socket.io/?EIO=4&transport=polling`
      const reply = await fetch(url, { headers })
      if (reply.status !== 200) return false
      const { sid } = openSchema.parse(JSON.parse((await reply.text()).slice(1)))
      // The packet `1` ends the connection.
      await fetch(`${url}&sid=${sid}`, { method: 'POST', body: '1', headers })
      return true
    }
    let opened = 0
    for (let refused = false; !refused && opened < 5_000;) {
      const outcomes = await Promise.all(Array.from({ length: 100 }, openAndClose))
      opened += outcomes.filter(Boolean).length
      refused = outcomes.includes(false)
    }
    expect(opened).toBeGreaterThanOrEqual(500)
    expect(opened).toBeLessThan(5_000)
  })
})
