import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { spawnProgram, startProgram, type Program } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
let dataDir = ''
let program: Program
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-encerrar-')
  program = await startProgram({ database, dataDir })
})
afterAll(async () => {
  await program?.kill()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

it('answers accepted requests before a requested shutdown ends', async () => {
  const access = { email: 'dona@loja.test', senha: 'senha-da-dona' }
  // Only two passwords are checked at once, so the others are still running after the first answer.
  const entries = Array.from({ length: 12 }, () => program.request('POST', '/auth/login', access))
  await Promise.race(entries)
  const code = program.terminate()
  const respostas = await Promise.all(entries)
  expect(respostas.map(({ status }) => status)).toEqual(respostas.map(() => 200))
  expect(await code).toBe(0)
  await expect(fetch(`${program.url}/api/health`)).rejects.toThrow()
})

it('ends a requested shutdown with 0 while a mail server gives no answer', async () => {
  const silent = createServer((line) => line.on('error', () => undefined))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const mailing = await startProgram({ database, dataDir, env: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
  const called = once(silent, 'connection')
  await mailing.request('POST', '/auth/esqueci-senha', { email: 'dona@loja.test' })
  const [line] = await called
  expect(await mailing.terminate()).toBe(0)
  line.destroy()
  silent.close()
})

it('ends a shutdown requested during the start with 0', async () => {
  let output = ''
  const starting = spawnProgram({
    database,
    dataDir,
    env: { LOG_LEVEL: 'info' },
    onOutput: (chunk) => {
      output += chunk
      // The bots and the periodic work start after this line.
      if (output.includes('Server listening')) starting.kill('SIGTERM')
    },
  })
  const [code] = await once(starting, 'exit')
  expect(code, output).toBe(0)
})
