import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { spawnProgram, startProgram } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createTransactionPooler } from './transaction-pooler.ts'

/** Starts of the program that end with one sentence and write nothing to the database. */

let database: TestDatabase
const folders: string[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp('/tmp/balcao-recusado-')
  folders.push(folder)
  return folder
}

/** Starts a program that must end. Returns its exit code and its words. */
async function refusedStart(env: Readonly<Record<string, string>> = {}): Promise<string> {
  let said = ''
  const onOutput = (chunk: string): void => void (said += chunk)
  const child = spawnProgram({ database, dataDir: await newFolder(), env, onOutput })
  const [code] = await once(child, 'close')
  return `${code} ${said}`
}

/** Rows that every start writes. */
async function traces(): Promise<unknown> {
  const { rows } = await database.owner.query(`select (select count(*) from nos) as nos,
    (select count(*) from usuarios) as usuarios, (select count(*) from chaves_em_uso) as chaves`)
  return rows[0]
}

it('refuses a pooler that shares connections between clients', async () => {
  const pooler = createTransactionPooler(database.target).listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  const address = pooler.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { user, password = '', database: name } = database.target
  const said = await refusedStart({ DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${port}/${name}` })
  expect(said).toMatch(/^1 /)
  expect(said).toContain('Um pooler em modo de transação')
  expect(await traces()).toEqual({ nos: 0, usuarios: 0, chaves: 0 })
  pooler.close()
})

it('refuses a node that generated another secret', async () => {
  const first = await startProgram({ database, dataDir: await newFolder() })
  await first.terminate()
  const before = await traces()
  expect(before).toMatchObject({ usuarios: 1, chaves: 1 })
  const said = await refusedStart()
  expect(said).toMatch(/^1 /)
  expect(said).toContain('Use o mesmo APP_SECRET')
  expect(await traces()).toEqual(before)
})
