import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { exportDatabase } from '#db/backup/export.ts'
import { retentionJob } from '#modules/retencao/index.ts'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { recordStatements } from '#test/recorded-database.ts'

/** Two nodes on one database, each with another build of the panel. */

let database: TestDatabase
let dir: string
let before: TestApp
let after: TestApp
let recorded: ReturnType<typeof recordStatements>

async function build(name: string): Promise<string> {
  const dist = join(dir, name)
  await mkdir(join(dist, 'assets'), { recursive: true })
  for (const page of ['index.html', 'app.html']) await writeFile(join(dist, page), `<p>${page}</p>`)
  const script = `export const build = '${name}'`.padEnd(2_000)
  await writeFile(join(dist, 'assets', `${name}.js`), script)
  await writeFile(join(dist, 'assets', `${name}.js.br`), brotliCompressSync(script))
  await writeFile(join(dist, 'assets', `${name}.js.gz`), gzipSync(script))
  await writeFile(join(dist, 'assets', `${name}.css`), `.${name} {}`.padEnd(2_000))
  await writeFile(join(dist, 'assets', `${name}.woff2`), Buffer.from([0, 1, 2, 255]))
  await writeFile(join(dist, 'assets', 'shared.js'), 'shared')
  return dist
}

const stored = async (): Promise<unknown[]> =>
  (await database.owner.query<{ nome: string }>('select nome from painel_arquivos order by nome')).rows.map(
    ({ nome }) => nome,
  )

beforeAll(async () => {
  dir = await mkdtemp('/tmp/balcao-builds-')
  database = await createTestDatabase()
  recorded = recordStatements(database.db)
  const options = { database: { ...database, db: recorded.db }, reservedDb: database.db, background: false }
  before = await createTestApp({ ...options, dist: await build('old') })
  after = await createTestApp({ ...options, dist: await build('new') })
  await waitUntil(async () => (await stored()).length === 12)
})
afterAll(async () => {
  await before?.close()
  await after?.close()
  await database?.drop()
  await rm(dir, { recursive: true, force: true })
})

const HEADERS = ['content-type', 'cache-control', 'content-encoding', 'vary', 'x-content-type-options'] as const

async function load(app: TestApp, name: string, encoding = 'identity') {
  const reply = await fetch(`${app.url}/assets/${name}`, { headers: { 'accept-encoding': encoding } })
  const headers = HEADERS.map((header) => [header, reply.headers.get(header)?.toLowerCase()])
  return { status: reply.status, headers, text: await reply.text() }
}

describe('GET /assets of another build', () => {
  it.each([
    ['js', 'br'],
    ['js', 'gzip, deflate'],
    ['js', 'br;q=0, gzip'],
    ['js', 'identity'],
    ['css', 'br'],
    ['woff2', 'br'],
  ])('answers .%s for %s like the node of that build, on both nodes', async (extension, encoding) => {
    for (const [own, other, name] of [
      [before, after, 'old'],
      [after, before, 'new'],
    ] as const) {
      const expected = await load(own, `${name}.${extension}`, encoding)
      expect(expected.status).toBe(200)
      expect(await load(other, `${name}.${extension}`, encoding)).toEqual(expected)
    }
  })

  it('answers 404 for unknown names and for compressed forms', async () => {
    for (const name of ['nope.js', 'old.js.br', 'old', '..%2Fapp.html', '%2e%2e%2fx.js']) {
      expect([name, (await load(after, name)).status]).toEqual([name, 404])
    }
  })

  it('reads unknown names from the database at most once in two seconds', async () => {
    const since = performance.now()
    const first = recorded.transactions.length
    const replies = await Promise.all(Array.from({ length: 200 }, (_, i) => load(after, `x${i}.js`)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]))
    const reads = 1 + Math.ceil((performance.now() - since) / 2_000)
    expect(recorded.transactions.length - first).toBeLessThanOrEqual(reads)
  })

  it('reads a file once', async () => {
    await load(after, 'old.js')
    const first = recorded.transactions.length
    for (const encoding of ['br', 'gzip', 'identity']) await load(after, 'old.js', encoding)
    expect(recorded.transactions.length).toBe(first)
  })
})

it('stores each build once', async () => {
  await Promise.all([before, after, before].map(({ deps }) => deps.keptAssets.store()))
  expect(await stored()).toHaveLength(12)
})

it('leaves the files out of an export', async () => {
  const { tabelas } = await exportDatabase(database.owner, join(dir, 'copy.balcao'), null)
  expect(tabelas.map(({ nome }) => nome).filter((nome) => nome.startsWith('painel_'))).toEqual([])
})

describe('retention', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('deletes builds that no process used for 7 days and keeps its own', async () => {
    const age = `update painel_versoes set vista_em = now() - $1::interval`
    const job = retentionJob({ ...after.deps, sweepLinks: () => Promise.resolve(0) })
    await database.owner.query(age, ['6 days 23 hours'])
    await after.deps.keptAssets.sweep()
    expect(await stored()).toHaveLength(12)
    await database.owner.query(age, ['7 days 1 minute'])
    job.start()
    vi.advanceTimersByTime(10 * 60_000)
    await job.stop()
    expect(await stored()).toEqual(['new.css', 'new.js', 'new.js.br', 'new.js.gz', 'new.woff2', 'shared.js'])
  })
})
