import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { databaseUrl, expireLeases, prepareBot, type Program, startProgram, untilConnected } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

/** Processes on one external database, with one bot. The tests build on each other. */

const SECRET = 'um-segredo-com-mais-de-32-caracteres'
let database: TestDatabase
const folders: string[] = []
const started: Program[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  await prepareBot(await start())
})
afterAll(async () => {
  for (const program of started) await program.kill()
  await database?.drop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Each process has its own data folder, so that only the database can refuse it. */
async function start(onOutput?: (chunk: string) => void): Promise<Program> {
  const dataDir = await mkdtemp('/tmp/balcao-um-so-')
  folders.push(dataDir)
  const env = { APP_SECRET: SECRET }
  const program = await startProgram({
    ...{ database, dataDir, env, keepLeases: true },
    ...(onOutput === undefined ? {} : { onOutput }),
  })
  started.push(program)
  return program
}

const owner = async (): Promise<unknown> => {
  const { rows } = await database.owner.query('select no from bots where lease_expira > now()')
  return rows[0]?.no ?? null
}
const lockHolders = `select pid from pg_locks where locktype = 'advisory' and objid = 7203616 and granted
  and database = (select oid from pg_database where datname = current_database())`
const breakLine = async (): Promise<void> => {
  await database.owner.query(`select pg_terminate_backend(pid) from (${lockHolders}) as holder`)
}

it('leaves the leases of a killed process until they expire', async () => {
  const dead = await owner()
  expect(dead).toEqual(expect.any(String))
  const program = await start()
  // Ready means that the first search for leases is over.
  await waitUntil(async () => (await program.request('GET', '/ready')).status === 200)
  expect(await owner()).toBe(dead)
  await expireLeases(database)
  await untilConnected(program)
  expect(await owner()).not.toBe(dead)
})

it('takes the lock again after a broken connection and refuses a second process', async () => {
  const before = await owner()
  const [holder] = (await database.owner.query(lockHolders)).rows
  await breakLine()
  await waitUntil(async () => {
    const { rows } = await database.owner.query(lockHolders)
    return rows.length === 1 && rows[0]?.pid !== holder?.pid
  })
  let said = ''
  await expect(start((chunk) => (said += chunk))).rejects.toThrow('program exited with 1')
  expect(said).toContain('Outro Balcão já usa este banco de dados')
  expect(await owner()).toBe(before)
})

it('refuses a command that rewrites the database of a running process', async () => {
  const folder = await mkdtemp('/tmp/balcao-um-so-')
  folders.push(folder)
  const cli = join(import.meta.dirname, '..', '..', 'src', 'cli.ts')
  const env = { ...process.env, DATABASE_URL: databaseUrl(database), DATA_DIR: folder, APP_SECRET: SECRET }
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [cli, 'reseal'], { env }, (error, stdout, stderr) =>
      resolve(`${error?.code} ${stdout}${stderr}`),
    )
  })
  expect(said).toMatch(/^1 /)
  expect(said).toContain('Outro Balcão já usa este banco de dados')
})

it('ends with 1 after a second process took the lock, and never shares its bot', async () => {
  const before = await owner()
  const first = started.at(-1)
  // A stopped process neither notices the broken connection nor takes the lock again.
  first?.signal('SIGSTOP')
  await breakLine()
  const second = await start()
  await waitUntil(async () => (await second.request('GET', '/ready')).status === 200)
  expect(await owner()).toBe(before)
  first?.signal('SIGCONT')
  await first?.exited
  expect(first?.exitCode()).toBe(1)
  await untilConnected(second)
  expect(await owner()).not.toBe(before)
})
