import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { iniciarPrograma, type Programa } from '#test/bot/programa.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
let dataDir = ''
let programa: Programa
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-encerrar-')
  programa = await iniciarPrograma({ database, dataDir })
})
afterAll(async () => {
  await programa?.matar()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

it('a server that is asked to end answers what it had taken, then ends without a fault', async () => {
  const acesso = { email: 'dona@loja.test', senha: 'senha-da-dona' }
  // Two passwords are looked at at once: when the first answer is there, the others are still inside.
  const entradas = Array.from({ length: 12 }, () => programa.pedir('POST', '/auth/login', acesso))
  await Promise.race(entradas)
  const codigo = programa.encerrar()
  const respostas = await Promise.all(entradas)
  expect(respostas.map(({ status }) => status)).toEqual(respostas.map(() => 200))
  expect(await codigo).toBe(0)
  await expect(fetch(`${programa.url}/api/health`)).rejects.toThrow()
})
