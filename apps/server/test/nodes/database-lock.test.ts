import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { databaseUrl, type Program, startProgram } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

/** Processes on one external database. The tests build on each other. */

const SECRET = 'um-segredo-com-mais-de-32-caracteres'
const LOCK = 7_203_616
let database: TestDatabase
const folders: string[] = []
const started: Program[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const program of started) await program.kill()
  await database?.drop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp('/tmp/balcao-trava-')
  folders.push(folder)
  return folder
}

async function start(onOutput?: (chunk: string) => void): Promise<Program> {
  const output = onOutput === undefined ? {} : { onOutput }
  const program = await startProgram({
    ...{ database, dataDir: await newFolder(), env: { APP_SECRET: SECRET } },
    ...output,
  })
  started.push(program)
  return program
}

const lockHolders = `select pid from pg_locks where locktype = 'advisory' and objid = ${LOCK} and granted
  and database = (select oid from pg_database where datname = current_database())`
const holders = async (): Promise<unknown[]> => (await database.owner.query(lockHolders)).rows.map(({ pid }) => pid)

it('is shared by several processes', async () => {
  await start()
  await start()
  expect(await holders()).toHaveLength(2)
})

it('is taken again after a broken connection', async () => {
  const before = await holders()
  await database.owner.query('select pg_terminate_backend($1)', [before[0]])
  await waitUntil(async () => {
    const now = await holders()
    return now.length === 2 && !now.includes(before[0])
  })
})

it('refuses a command that rewrites the database of a running process', async () => {
  const cli = join(import.meta.dirname, '..', '..', 'src', 'cli.ts')
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl(database),
    DATA_DIR: await newFolder(),
    APP_SECRET: SECRET,
  }
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [cli, 'reseal'], { env }, (error, stdout, stderr) =>
      resolve(`${error?.code} ${stdout}${stderr}`),
    )
  })
  expect(said).toMatch(/^1 /)
  expect(said).toContain('este comando precisa dele só para si')
})

it('ends a process that lost it to one that must be alone, and refuses further ones', async () => {
  const [first, second] = started
  await second?.kill()
  // A stopped process neither notices the broken connection nor takes the lock again.
  first?.signal('SIGSTOP')
  await database.owner.query(`select pg_terminate_backend(pid) from (${lockHolders}) as holder`)
  const alone = new Client({ ...database.target })
  await alone.connect()
  try {
    await waitUntil(async () => {
      const { rows } = await alone.query('select pg_try_advisory_lock($1) as got', [LOCK])
      return rows[0]?.got === true
    })
    first?.signal('SIGCONT')
    await first?.exited
    expect(first?.exitCode()).toBe(1)
    let said = ''
    await expect(start((chunk) => (said += chunk))).rejects.toThrow('program exited with 1')
    expect(said).toContain('Outro programa usa este banco de dados sozinho')
  } finally {
    await alone.end()
  }
})
