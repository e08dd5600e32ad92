import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { adminSistemaRoute } from '@balcao/contract/routes/admin'
import type { SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { createDiskFiles } from '#adapters/disk/files.ts'
import { createPool } from '#db/connection.ts'
import { restoreFiles } from '#db/backup/copy-files.ts'
import { exportDatabase } from '#db/backup/export.ts'
import { importDatabase } from '#db/backup/import.ts'
import { listCopies, makeCopy, readCopyParts } from '#db/backup/make-copy.ts'
import { BackupJob } from '#modules/sistema/backup-job.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { connectBot, formFile, givenConta, PNG, sendAsCustomer } from '#test/builders.ts'

const KEY = 'uma frase comprida de quem guarda o balcão'
const HOUR_MS = 3_600_000

let folder: string
let dir: string
let app: TestApp
/** Holds the next copy until the test releases it. */
let gate: Promise<void> = Promise.resolve()
let failure: Error | null = null
const opened: TestDatabase[] = []

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  opened.push(database)
  return database
}

const copyNow = (target = app, passphrase: string | null = KEY) =>
  makeCopy({
    owner: target.database.owner,
    files: target.deps.files,
    dir,
    keep: 7,
    passphrase,
    dataDir: target.deps.settings.dataDir,
    now: target.deps.clock.now(),
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-copias-'))
  dir = join(folder, 'copias')
  app = await createTestApp({
    database: await newDatabase(),
    backups: {
      ...{ dir, hours: 24, keep: 7, encrypted: true, checkMs: 3_600_000 },
      make: async () => {
        await gate
        if (failure !== null) throw failure
        await copyNow()
      },
    },
  })
})
afterAll(async () => {
  await app?.close()
  for (const database of opened) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const sistema = async (): Promise<SistemaAdmin> =>
  adminSistemaRoute.response.parse((await app.request('GET', '/admin/sistema')).body)
const copies = async (): Promise<string[]> => (await readdir(dir)).filter((name) => name.endsWith('.balcao')).toSorted()
const storedFiles = async (): Promise<string[]> => {
  const names = await readdir(join(dir, 'arquivos'), { recursive: true })
  return names.filter((name) => /[0-9a-f]{32}\./.test(name))
}

describe('makeCopy', () => {
  it('restores database and files exactly while messages are handled', async () => {
    const dona = await givenConta(app)
    await connectBot(dona)
    for (const phone of ['5511911110001', '5511911110002'])
      await sendAsCustomer(dona, phone, { texto: 'veja', arquivo: formFile(PNG, 'foto.png') })
    let handled = 0
    let copying = true
    const customers = Array.from({ length: 20 }, async (_, customer) => {
      for (let message = 0; copying; message += 1) {
        const telefone = `55119222${String(20_000 + customer)}`
        await dona.request('POST', '/simulador/mensagens', { telefone, nome: 'Duda', texto: `mensagem ${message}` })
        handled += 1
      }
    })
    await waitUntil(() => handled > 100)
    const before = handled
    const copy = await copyNow().finally(() => (copying = false))
    const during = handled - before
    await Promise.all(customers)
    expect(during).toBeGreaterThan(0)
    expect(copy).toMatchObject({ files: 2, missing: 0 })

    const target = await newDatabase()
    const importer = createPool({ ...inject('banco'), database: target.target.database }, { max: 2 })
    const imported = await importDatabase(importer, copy.file, KEY)
    const returned = await exportDatabase(importer, join(folder, 'de-volta'), null)
    await importer.end()
    // The import marks itself and forgets processes, leases and retries. It checks the sum of each table; a second export may read
    // the rows in another order.
    const exact = (tables: typeof copy.tabelas) =>
      tables
        .filter(({ nome }) => !['restauracoes', 'nos', 'tarefas', 'linhas_bots', 'saida'].includes(nome))
        .map(({ nome, linhas, bytes }) => ({ nome, linhas, bytes }))
    expect(exact(returned.tabelas)).toEqual(exact(copy.tabelas))
    expect(imported.tabelas.find(({ nome }) => nome === 'mensagens')?.linhas).toBeGreaterThan(100)

    const parts = await readCopyParts(copy.file, dir)
    const files = createDiskFiles({ dir: join(folder, 'restaurados') })
    const list = parts.list ?? { set: '', files: [] }
    expect(list.files).toHaveLength(2)
    expect(await restoreFiles(list, { dir: parts.filesDir, to: files, passphrase: KEY })).toEqual({
      restored: 2,
      missing: 0,
    })
    for (const { contaId, nome } of list.files) {
      const bytes = await app.deps.files.read(contaId, nome)
      expect(await files.read(contaId, nome)).toEqual(bytes)
      const [stored = ''] = (await storedFiles()).filter((name) => name.endsWith(nome))
      expect(await readFile(join(dir, 'arquivos', stored))).not.toEqual(bytes)
    }
    await expect(restoreFiles(list, { dir: parts.filesDir, to: files, passphrase: 'outra' })).rejects.toThrow('chave')
  })

  it('is possible again before the connection of the last export is closed', async () => {
    const slow = createPool({ ...inject('banco'), database: app.database.target.database }, { max: 1 })
    slow.on('connect', (client) => {
      const end = client.end.bind(client)
      client.end = async (...done: unknown[]) => {
        await new Promise((resolve) => setTimeout(resolve, 200))
        Reflect.apply(end, client, done)
      }
    })
    await exportDatabase(slow, join(folder, 'lenta'), null)
    const next = await exportDatabase(app.database.owner, join(folder, 'em-seguida'), null).catch(String)
    await slow.end()
    expect(next).toMatchObject({ tabelas: expect.any(Array) })
  })

  it('refuses a second export while the first runs', async () => {
    const { owner } = app.database
    const blocker = await owner.connect()
    await blocker.query('BEGIN; LOCK TABLE tentativas IN ACCESS EXCLUSIVE MODE')
    const second = createPool({ ...inject('banco'), database: app.database.target.database }, { max: 1 })
    const first = exportDatabase(owner, join(folder, 'primeira'), null)
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    // On another connection, because a transaction caches these statistics.
    await waitUntil(async () => (await second.query(waiting)).rows.length > 0)
    await expect(exportDatabase(second, join(folder, 'segunda'), null)).rejects.toThrow('já está sendo feita')
    await blocker.query('COMMIT')
    blocker.release()
    await first
    await exportDatabase(second, join(folder, 'segunda'), null)
    await second.end()
  })
})

describe('POST /admin/copias', () => {
  it('starts one copy, refuses another until it ends, and shows the last one', async () => {
    const before = (await copies()).length
    app.advance(HOUR_MS)
    let release = (): void => {}
    gate = new Promise((resolve) => (release = resolve))
    expect(await app.request('POST', '/admin/copias')).toEqual({ status: 202, body: { sucesso: true } })
    expect(await app.request('POST', '/admin/copias')).toMatchObject({
      status: 409,
      body: { codigo: 'copiaEmAndamento' },
    })
    expect((await sistema()).copias).toMatchObject({ horas: 24, manter: 7, cifrada: true, emAndamento: true })
    release()
    await waitUntil(async () => (await sistema()).copias?.emAndamento === false)
    expect(await copies()).toHaveLength(before + 1)
    const { ultimaCopia, copias } = await sistema()
    expect(ultimaCopia).toMatchObject({ cifrada: true })
    expect(copias?.falhouEm).toBe(null)
    expect(await app.sql("select count(*)::int as n from auditoria where acao = 'copiaPedida'")).toEqual([{ n: 1 }])
    const dona = await givenConta(app)
    expect((await dona.request('POST', '/admin/copias')).status).toBe(403)
  })

  it('starts no copy if its audit record fails', async () => {
    const before = (await copies()).length
    app.advance(HOUR_MS)
    await app.sql("alter table auditoria add constraint sem_copia check (acao <> 'copiaPedida') not valid")
    expect((await app.request('POST', '/admin/copias')).status).toBe(500)
    await app.sql('alter table auditoria drop constraint sem_copia')
    await waitUntil(async () => (await sistema()).copias?.emAndamento === false)
    expect(await copies()).toHaveLength(before)
  })
})

describe('the schedule', () => {
  it('makes a copy a day, and the eighth removes the first with its files', async () => {
    const other = await createTestApp({ database: await newDatabase(), background: false })
    const daily = await mkdtemp(join(folder, 'diarias-'))
    const dona = await givenConta(other)
    const scheduled = createSchedule(other, daily)
    const names = async (): Promise<string[]> => (await listCopies(daily)).map(({ name }) => name).toReversed()
    // Only the first day has this file.
    const lost = { contaId: dona.contaId, nome: `${'a'.repeat(32)}.png` }
    await other.deps.files.write(lost.contaId, lost.nome, PNG)
    await other.sql(
      `insert into arquivos (conta_id, nome, uso, tipo, tamanho, criado_em, estado) values ($1, $2, 'midia', 'image/png', 1, now(), 'pronto')`,
      [lost.contaId, lost.nome],
    )
    scheduled.begin()
    await waitUntil(async () => (await names()).length === 1)
    const [first = ''] = await names()
    const copied = join(daily, 'arquivos', 'aberto', lost.contaId, lost.nome)
    expect(await readFile(copied)).toEqual(PNG)
    await other.sql('delete from arquivos')
    for (let day = 2; day <= 7; day += 1) {
      other.advance(24 * HOUR_MS)
      await waitUntil(async () => (await names()).length === day)
    }
    expect(existsSync(copied)).toBe(true)
    other.advance(24 * HOUR_MS)
    await waitUntil(async () => !(await names()).includes(first))
    expect(await names()).toHaveLength(7)
    await waitUntil(() => !existsSync(copied))
    expect(existsSync(join(daily, first.replace('.balcao', '.arquivos')))).toBe(false)

    // Nothing older than 30 days stays, also when copies fail.
    failure = new Error('disk full')
    other.advance(31 * 24 * HOUR_MS)
    await waitUntil(async () => (await names()).length === 0)
    await waitUntil(async () => (await scheduled.status())?.failedAt !== null)
    failure = null
    other.advance(HOUR_MS)
    await waitUntil(async () => (await names()).length === 1)
    await scheduled.stop()
    await other.close()
  })
})

describe('a clock that is set 31 days ahead', () => {
  it('deletes no copy for a day', async () => {
    const other = await createTestApp({ database: await newDatabase(), background: false })
    const daily = join(folder, 'adiantado')
    const names = async (): Promise<string[]> => (await listCopies(daily)).map(({ name }) => name)
    const scheduled = createSchedule(other, daily)
    scheduled.begin()
    await waitUntil(async () => (await names()).length === 1)
    const [first] = await names()
    other.jump(31 * 24 * HOUR_MS)
    await waitUntil(async () => (await names()).length === 2)
    // A deletion would follow within some checks of 20 ms.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await names()).toContain(first)
    other.advance(24 * HOUR_MS)
    await waitUntil(async () => !(await names()).includes(first ?? ''))
    expect(await names()).toHaveLength(1)
    await scheduled.stop()
    await other.close()
  })
})

function createSchedule({ deps, database }: TestApp, folderOfCopies: string): BackupJob {
  const { clock, log, files, settings } = deps
  return new BackupJob(
    { clock, log },
    {
      ...{ dir: folderOfCopies, hours: 24, keep: 7, encrypted: false, checkMs: 20 },
      make: async () => {
        if (failure !== null) throw failure
        const common = { owner: database.owner, files, dataDir: settings.dataDir, passphrase: null }
        await makeCopy({ ...common, dir: folderOfCopies, keep: 7, now: clock.now() })
      },
    },
  )
}
