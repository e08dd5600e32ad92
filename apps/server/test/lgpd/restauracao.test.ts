import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { exportDatabase } from '#db/export.ts'
import { importDatabase } from '#db/import.ts'
import { type TestServer, createTestServer } from '#test/bot/casa.ts'
import { waitUntil } from '#test/bot/house.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let pasta: string
let origem: TestDatabase
let destino: TestDatabase
let casa: TestServer

beforeAll(async () => {
  pasta = await mkdtemp(join(tmpdir(), 'balcao-restauracao-'))
  origem = await createTestDatabase()
  destino = await createTestDatabase()
})
afterAll(async () => {
  await casa?.close()
  await destino?.drop()
  await origem?.drop()
  await rm(pasta, { recursive: true, force: true })
})

async function conectar({ request }: TestServer): Promise<void> {
  const { config } = (await request('GET', '/config')).body
  const { whatsapp, ...resto } = Object(config)
  await request('PUT', '/config', { ...resto, whatsapp: { ...whatsapp, clientId: 'loja' } })
  await request('POST', '/bot/iniciar')
  await waitUntil(async () => (await request('POST', '/simulador/escanear')).status === 200)
}

it('erases customers again after the import of an older backup', async () => {
  casa = await createTestServer({ testDatabase: origem })
  await conectar(casa)
  const escrever = (telefone: string, texto: string) =>
    casa.request('POST', '/simulador/mensagens', { telefone, nome: 'Duda', texto })
  await escrever('5511987650001', 'segredo-da-duda')
  await escrever('5511987650002', 'segredo-do-outro')
  await casa.idle()
  const copia = join(pasta, 'copia.balcao')
  const owner = createPool(origem.target, { max: 1 })
  await exportDatabase(owner, copia, null)
  await owner.end()

  // One customer was erased after the backup and then wrote again as a new customer.
  expect((await casa.request('DELETE', '/lgpd/titulares/11 98765-0001')).status).toBe(200)
  await escrever('5511987650001', 'vida nova')
  await casa.idle()
  const lapides = join(casa.deps.settings.dataDir, 'apagados')
  await copyFile(lapides, join(pasta, 'apagados'))
  await casa.close()
  const mesma = await createTestServer({ testDatabase: origem, settings: { ...casa.deps.settings, dataDir: pasta } })
  expect((await mesma.request('GET', '/lgpd/titulares/5511987650001')).status).toBe(200)
  await mesma.close()

  const importador = createPool({ ...inject('banco'), database: destino.target.database }, { max: 2 })
  await importDatabase(importador, copia, null)
  expect((await importador.query(`select 1 from mensagens where texto = 'segredo-da-duda'`)).rowCount).toBe(1)
  await importador.end()

  casa = await createTestServer({
    testDatabase: destino,
    settings: { ...casa.deps.settings, dataDir: pasta },
  })
  expect((await casa.request('GET', '/lgpd/titulares/5511987650001')).status).toBe(404)
  expect((await casa.request('GET', '/lgpd/titulares/5511987650002')).status).toBe(200)
  expect(await casa.sql(`select texto from mensagens where texto like 'segredo%'`)).toEqual([
    { texto: 'segredo-do-outro' },
  ])
})
