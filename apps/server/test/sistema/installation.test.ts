import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adminSistemaRoute } from '@balcao/contract/routes/admin'
import type { SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { recordBackup } from '#db/backup/make-copy.ts'
import { exportDatabase } from '#db/backup/export.ts'
import { hasWhatsapp, WHATSAPP_DIR } from '#adapters/whatsapp/connector.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp } from '#test/app.ts'

const libraries = hasWhatsapp(WHATSAPP_DIR) ? ['baileys', 'whatsapp-web.js'] : ['whatsapp-web.js']

let database: TestDatabase
let app: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  // No search takes the bot of the test.
  app = await createTestApp({ database, timings: { searchMs: 3_600_000 } })
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

const read = async (): Promise<SistemaAdmin> =>
  adminSistemaRoute.response.parse((await app.request('GET', '/admin/sistema')).body)

it('reports this node, its versions, database, disk and memory', async () => {
  const parsed = await read()
  expect(parsed).toMatchObject({
    nos: [{ este: true, versao: 'v2.0.0' }],
    versoes: {
      produto: 'v2.0.0',
      node: process.version,
      postgres: expect.stringMatching(/^\d+(\.\d+)?/),
      migracao: expect.stringMatching(/^\d{4}_\w+\.sql$/),
      conectores: libraries.map((nome) => ({ nome, versao: expect.stringMatching(/^\d+\./) })),
    },
    contas: { vivas: 1, excluidas: 0 },
    fila: { mensagens: 0, maisAntigaS: null, perguntasIa: 0 },
    ultimaCopia: null,
  })
  expect(parsed.banco.bytes).toBeGreaterThan(1_000_000)
  expect(parsed.disco.livreBytes).toBeGreaterThan(0)
  expect(parsed.disco.totalBytes).toBeGreaterThan(parsed.disco.livreBytes)
  expect(parsed.memoria.processoBytes).toBeGreaterThan(1_000_000)
})

it('reports bots by status, queue age, mails and deleted accounts', async () => {
  const { owner } = database
  const fresh = await app.request('POST', '/admin/usuarios', {
    nome: 'Ana',
    email: 'ana@fila.test',
    senha: 'pao-quente',
  })
  expect(fresh.status).toBe(201)
  await owner.query(`
    with conta as (select conta_id as id from usuarios where email = 'ana@fila.test'),
         ana as (insert into contatos (conta_id, id, endereco) select id, gen_random_uuid(), 'tel:1' from conta returning conta_id, id),
         conversa as (insert into conversas (conta_id, id, contato_id, status) select conta_id, gen_random_uuid(), id, 'bot' from ana returning conta_id, id, contato_id),
         nova as (insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
                  select conta_id, gen_random_uuid(), id, 'saida', 'bot', 'segredo da conversa', 'simulador', 'pendente', now() - interval '90 seconds'
                    from conversa returning conta_id, id, conversa_id),
         fila as (insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, proxima_em)
                  select n.conta_id, n.id, v.contato_id, 'tel:1', '{}', 'x', now() + interval '1 day' from nova n, conversa v)
    insert into bots (conta_id, desejado, status) select id, true, 'ERRO' from conta`)
  await owner.query("update emails set erro = 'recusado' where para = 'ana@fila.test'")
  const { emails: now } = await read()
  // Mails given up days ago count neither as waiting nor as failed.
  await owner.query(
    `insert into emails (id, tipo, para, assunto, texto, erro, criado_em, proxima_em)
     select gen_random_uuid(), 'cadastro', 'velho@fila.test', 'x', 'x', e, now() - interval '4 days', now()
       from unnest(array[null, 'recusado']) as e`,
  )
  const parsed = await read()
  expect(parsed.emails).toEqual(now)
  expect(parsed.bots).toEqual({ porStatus: [{ status: 'ERRO', quantos: 1 }], semDono: 1 })
  expect(parsed.fila.mensagens).toBe(1)
  expect(parsed.fila.maisAntigaS).toBeGreaterThanOrEqual(90)
  expect(parsed.emails).toMatchObject({ servidor: false, falharam: 1 })
  expect(JSON.stringify(parsed)).not.toMatch(/segredo|ana@|tel:/)
})

it('reports the last backup', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-copia-'))
  const arquivo = join(folder, 'x.balcao')
  const { tabelas } = await exportDatabase(database.owner, arquivo, 'chave')
  await recordBackup(database.owner, arquivo, { tabelas, cifrada: true })
  const { ultimaCopia } = await read()
  expect(ultimaCopia).toMatchObject({ tabelas: tabelas.length, cifrada: true })
  expect(ultimaCopia?.bytes).toBeGreaterThan(1_000)
  await rm(folder, { recursive: true, force: true })
})
