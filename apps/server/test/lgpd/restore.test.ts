import { appendFile, copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { eraseRestoredTitulares } from '#modules/lgpd/index.ts'
import { createPool } from '#db/connection.ts'
import { exportDatabase } from '#db/backup/export.ts'
import { importDatabase } from '#db/backup/import.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'

let folder: string
let source: TestDatabase
let destination: TestDatabase
let app: TestApp

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-restauracao-'))
  source = await createTestDatabase()
  destination = await createTestDatabase()
})
afterAll(async () => {
  await app?.close()
  await destination?.drop()
  await source?.drop()
  await rm(folder, { recursive: true, force: true })
})

async function conectar({ request }: TestApp): Promise<void> {
  const { config } = (await request('GET', '/config')).body
  const { whatsapp, ...rest } = Object(config)
  await request('PUT', '/config', { ...rest, whatsapp: { ...whatsapp, clientId: 'loja' } })
  await request('POST', '/bot/iniciar')
  await waitUntil(async () => (await request('POST', '/simulador/escanear')).status === 200)
}

async function exportCopy(database: TestDatabase): Promise<string> {
  const copy = join(folder, `${database.target.database}.balcao`)
  const owner = createPool(database.target, { max: 1 })
  await exportDatabase(owner, copy, null)
  await owner.end()
  return copy
}

it('erases customers again after the import of an older backup', async () => {
  app = await createTestApp({ database: source })
  await conectar(app)
  const write = (telefone: string, texto: string) =>
    app.request('POST', '/simulador/mensagens', { telefone, nome: 'Duda', texto })
  await write('5511987650001', 'segredo-da-duda')
  await write('5511987650002', 'segredo-do-outro')
  await app.idle()
  const hidden = 'BR.7700000000000001A'
  await app.sql(
    `with c as (insert into contatos (conta_id, id, nome, telefone, endereco, nome_usuario)
       values ($1, gen_random_uuid(), 'Sem número', '', $2, 'sem_numero') returning id)
     insert into enderecos (conta_id, endereco, contato_id) select $1, $2, id from c`,
    [app.admin.contaId, hidden],
  )
  const copy = await exportCopy(source)

  // One customer was erased after the backup and then wrote again as a new customer.
  expect((await app.request('DELETE', '/lgpd/titulares/11 98765-0001')).status).toBe(200)
  expect((await app.request('DELETE', '/lgpd/titulares/@sem_numero')).status).toBe(200)
  await write('5511987650001', 'vida nova')
  // The service gives the id of an erased customer to another one.
  await app.sql(
    `insert into enderecos (conta_id, endereco, contato_id)
     select conta_id, $1, id from contatos where telefone = '5511987650002'`,
    [hidden],
  )
  await app.idle()
  const lapides = join(app.deps.settings.dataDir, 'apagados')
  await copyFile(lapides, join(folder, 'apagados'))
  await app.close()
  const same = await createTestApp({ database: source, settings: { ...app.deps.settings, dataDir: folder } })
  for (const typed of ['5511987650001', '5511987650002', hidden]) {
    expect((await same.request('GET', `/lgpd/titulares/${typed}`)).status).toBe(200)
  }
  await same.close()

  const importador = createPool({ ...inject('banco'), database: destination.target.database }, { max: 2 })
  await importDatabase(importador, copy, null)
  expect((await importador.query(`select 1 from mensagens where texto = 'segredo-da-duda'`)).rowCount).toBe(1)
  await importador.end()

  app = await createTestApp({
    database: destination,
    settings: { ...app.deps.settings, dataDir: folder },
  })
  for (const typed of ['5511987650001', hidden, '@sem_numero']) {
    expect((await app.request('GET', `/lgpd/titulares/${typed}`)).status).toBe(404)
  }
  expect((await app.request('GET', '/lgpd/titulares/5511987650002')).status).toBe(200)
  expect(await app.sql(`select 1 from contatos where nome = 'Sem número'`)).toEqual([])
  expect(await app.sql(`select texto from mensagens where texto like 'segredo%'`)).toEqual([
    { texto: 'segredo-do-outro' },
  ])
})

it('erases a customer again whose mark follows a line that was cut off', async () => {
  const [before, after] = [await createTestDatabase(), await createTestDatabase()]
  const first = await createTestApp({ database: before })
  await conectar(first)
  await first.request('POST', '/simulador/mensagens', { telefone: '5511987650003', nome: 'Rui', texto: 'oi' })
  await first.idle()
  const copy = await exportCopy(before)
  // The disk was full during an earlier erasure.
  await appendFile(join(first.deps.settings.dataDir, 'apagados'), `${first.admin.contaId} cortada`)
  expect((await first.request('DELETE', '/lgpd/titulares/5511987650003')).status).toBe(200)
  await copyFile(join(first.deps.settings.dataDir, 'apagados'), join(folder, 'apagados'))
  await first.close()

  const owner = createPool({ ...inject('banco'), database: after.target.database }, { max: 2 })
  await importDatabase(owner, copy, null)
  await owner.end()
  const restored = await createTestApp({ database: after, settings: { ...first.deps.settings, dataDir: folder } })
  expect((await restored.request('GET', '/lgpd/titulares/5511987650003')).status).toBe(404)
  await restored.close()
  await before.drop()
  await after.drop()
})

it('keeps the marks in the storage of all nodes and repeats an erasure once', async () => {
  const [before, after] = [await createTestDatabase(), await createTestDatabase()]
  const shared = { sharedFiles: true, arquivosDir: join(folder, 'arquivos') }
  const first = await createTestApp({ database: before, ...shared })
  await conectar(first)
  await first.request('POST', '/simulador/mensagens', { telefone: '5511987650004', nome: 'Lia', texto: 'oi' })
  await first.idle()
  const copy = await exportCopy(before)
  expect((await first.request('DELETE', '/lgpd/titulares/5511987650004')).status).toBe(200)
  expect(await readdir(join(folder, 'arquivos', 'apagados'))).toHaveLength(1)
  await first.close()

  const owner = createPool({ ...inject('banco'), database: after.target.database }, { max: 2 })
  await importDatabase(owner, copy, null)
  await owner.end()
  const restored = await createTestApp({ database: after, ...shared })
  await waitUntil(async () => (await restored.request('GET', '/lgpd/titulares/5511987650004')).status === 404)
  await waitUntil(async () => (await restored.sql('select 1 from apagados')).length === 1)
  expect(await eraseRestoredTitulares(restored.deps, 'shared')).toBe(0)
  await restored.close()
  await before.drop()
  await after.drop()
})
