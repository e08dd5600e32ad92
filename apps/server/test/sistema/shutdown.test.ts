import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProgram, type Program } from '#test/bot/program.ts'
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
