import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProgram, type Program } from '#test/bot/programa.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
let dataDir = ''
let programa: Program
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-encerrar-')
  programa = await startProgram({ database, dataDir })
})
afterAll(async () => {
  await programa?.kill()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

it('answers accepted requests before a requested shutdown ends', async () => {
  const acesso = { email: 'dona@loja.test', senha: 'senha-da-dona' }
  // Only two passwords are checked at once, so the others are still running after the first answer.
  const entradas = Array.from({ length: 12 }, () => programa.request('POST', '/auth/login', acesso))
  await Promise.race(entradas)
  const codigo = programa.terminate()
  const respostas = await Promise.all(entradas)
  expect(respostas.map(({ status }) => status)).toEqual(respostas.map(() => 200))
  expect(await codigo).toBe(0)
  await expect(fetch(`${programa.url}/api/health`)).rejects.toThrow()
})
