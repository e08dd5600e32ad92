import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#db/transaction.ts'
import { type TestServer, createTestServer } from '#test/bot/casa.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

/** Maximum of parallel transactions since the last reset. */
let juntas = 0
let agora = 0

function contar(db: Database): Database {
  return {
    ...db,
    transaction: async (contas, fn, plano) => {
      agora += 1
      juntas = Math.max(juntas, agora)
      try {
        return await db.transaction(contas, fn, plano)
      } finally {
        agora -= 1
      }
    },
  }
}

let banco: TestDatabase
let casa: TestServer
beforeAll(async () => {
  banco = await createTestDatabase()
  casa = await createTestServer({ testDatabase: banco, db: contar(banco.db), timings: { renewMs: 60_000, searchMs: 60_000 } })
})
afterAll(async () => {
  await casa?.close()
  await banco?.drop()
})

const TENTATIVAS = 300

it('limits database load when one socket tries hundreds of unknown tokens', async () => {
  const linha = new WebSocket(`${casa.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  let recusas = 0
  juntas = 0
  await new Promise<void>((resolve, reject) => {
    linha.addEventListener('error', () => reject(new Error('connection failed')))
    linha.addEventListener('close', () => reject(new Error('connection closed')))
    linha.addEventListener('message', ({ data }) => {
      const texto = String(data)
      if (texto.startsWith('0')) {
        for (let i = 0; i < TENTATIVAS; i += 1) {
          linha.send(`40${JSON.stringify({ token: randomBytes(32).toString('base64url') })}`)
        }
      }
      if (texto.startsWith('44')) recusas += 1
      if (recusas === TENTATIVAS) resolve()
    })
  })
  expect(juntas).toBeGreaterThan(0)
  // Four for the sockets, the others for background work.
  expect(juntas).toBeLessThanOrEqual(8)
  expect((await casa.request('GET', '/auth/eu')).status).toBe(200)
  linha.close()
})
