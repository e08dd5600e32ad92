import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { adminSistemaRoute } from '@balcao/contract/routes/admin'
import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { createPool } from '#db/connection.ts'
import { exportDatabase } from '#db/backup/export.ts'
import { importDatabase } from '#db/backup/import.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createTestApp, PASSWORD, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, givenConta, givenWaitingCustomer, startBot } from '#test/builders.ts'

const TELEFONE = '5511987650001'
const EMAIL = 'dona-da-copia@loja.test'
const POLL_MS = 50

let folder: string
let copy: string
let conversaId: string
const opened: TestDatabase[] = []

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  opened.push(database)
  return database
}

/** A copy with a connected bot, a message that waits for a retry, and mails that no mail server took. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-volta-'))
  copy = join(folder, 'copia.balcao')
  const source = await newDatabase()
  const app = await createTestApp({ database: source, timings: { retryWaitsMs: [3_600_000] } })
  const dona = await givenConta(app, 'Dona', { email: EMAIL })
  await connectBot(dona)
  conversaId = await givenWaitingCustomer(dona, TELEFONE)
  await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
  await dona.request('POST', '/simulador/falhas', { envios: 1 })
  await dona.request('POST', `/atendimento/conversas/${conversaId}/mensagem`, { mensagem: 'da cópia' })
  await app.send('POST', '/auth/esqueci-senha', { body: { email: EMAIL } })
  await waitUntil(async () => (await app.sql('select 1 from saida where tentativas = 1')).length === 1)
  // A mail server refused one of the mails, which is tried again later.
  await app.sql("update emails set tentativas = 1, erro = 'caixa cheia' where tipo = 'redefinicao'")
  await dona.request('POST', `/atendimento/conversas/${conversaId}/agendadas`, {
    ...{ mensagem: 'agendada na cópia', enviarEm: new Date(Date.now() + 3_600_000).toISOString() },
    cancelarSeResponder: false,
  })
  await app.sql(
    `insert into prazos (conta_id, conversa_id, tipo, vence_em) values ($1, $2, 'silencio', now() + interval '1 hour')`,
    [dona.contaId, conversaId],
  )
  await exportDatabase(source.owner, copy, null)
  await app.close()
})
afterAll(async () => {
  for (const database of opened) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

interface Restored {
  readonly app: TestApp
  readonly dona: TestUser
  readonly mailed: string[]
  readonly lastMensagem: () => Promise<Mensagem | undefined>
  readonly restauracao: () => Promise<unknown>
}

async function startRestored(options: { consent?: boolean } = {}): Promise<Restored> {
  const database = await newDatabase()
  const importer = createPool({ ...inject('banco'), database: database.target.database }, { max: 2 })
  await importDatabase(importer, copy, null, options)
  // The hour passed between the copy and the import.
  await importer.query(`update agendadas set enviar_em = now() - interval '1 minute'`)
  await importer.query(`update prazos set vence_em = now() - interval '1 minute'`)
  await importer.end()
  const mailed: string[] = []
  const mailer = { configured: true, send: async ({ para }: { para: string }) => void mailed.push(para) }
  const app = await createTestApp({
    database,
    mailer,
    timings: { renewMs: 50, searchMs: 50, expireMs: 50, pollMs: POLL_MS },
  })
  const dona = await app.login(EMAIL, PASSWORD)
  return {
    ...{ app, dona, mailed },
    lastMensagem: async () => {
      const { body } = await dona.request('GET', `/atendimento/conversas/${conversaId}/mensagens`)
      return mensagensDaConversaRoute.response.parse(body).mensagens.at(-1)
    },
    restauracao: async () =>
      adminSistemaRoute.response.parse((await app.request('GET', '/admin/sistema')).body).restauracao,
  }
}

const botStatus = async ({ dona }: Restored): Promise<Record<string, unknown>> =>
  (await dona.request('GET', '/bot/status')).body
const textsOnPhone = async ({ dona }: Restored): Promise<string[]> =>
  (await chatOf(dona, TELEFONE)).filter(({ de }) => de === 'bot').map(({ texto }) => texto)
const decide = ({ app }: Restored, decisao: string) => app.request('POST', '/admin/restauracao', { decisao })

/** Ten looks for due work find it, and do none of it. */
async function expectNoWork({ app }: Restored): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 10 * POLL_MS))
  expect(await app.sql('select estado from agendadas')).toEqual([{ estado: 'marcada' }])
  expect(await app.sql('select tipo from prazos')).toEqual([{ tipo: 'silencio' }])
  expect(await app.sql('select 1 from saida')).toHaveLength(1)
}

describe('importDatabase', () => {
  it('holds bots, messages and mails until the administrator sends them', async () => {
    const restored = await startRestored()
    const { app, dona, mailed } = restored
    expect(await restored.restauracao()).toMatchObject({ mensagens: 1, emails: 2, bots: 1, agendadas: 1 })
    await dona.request('POST', '/bot/iniciar')
    // A search has found the bot and held it.
    await waitUntil(async () => (await botStatus(restored))['motivo'] === 'copiaRestaurada')
    expect(await botStatus(restored)).toMatchObject({ status: 'INICIALIZANDO' })
    expect(await restored.lastMensagem()).toMatchObject({ texto: 'da cópia', estado: 'pendente' })
    expect(mailed).toEqual([])
    await expectNoWork(restored)

    expect((await dona.request('POST', '/admin/restauracao', { decisao: 'enviar' })).status).toBe(403)
    expect(await decide(restored, 'enviar')).toEqual({ status: 200, body: { mensagens: 1, emails: 2, agendadas: 1 } })
    await waitUntil(async () => (await textsOnPhone(restored)).includes('agendada na cópia'))
    await waitUntil(async () => (await restored.lastMensagem())?.estado === 'enviada')
    expect((await textsOnPhone(restored)).filter((text) => text === 'da cópia')).toHaveLength(1)
    await waitUntil(() => mailed.length === 2)
    expect(mailed).toEqual([EMAIL, EMAIL])
    expect(await restored.restauracao()).toBe(null)
    expect(await decide(restored, 'enviar')).toMatchObject({ status: 409, body: { codigo: 'semCopiaRestaurada' } })
    expect(await app.sql("select detalhe from auditoria where acao = 'copiaLiberada'")).toEqual([
      { detalhe: 'Enviou o que esperava. Mensagens: 1. E-mails: 2. Agendadas: 1.' },
    ])
    await app.close()
  })

  it('fails the waiting messages and starts the bots when the administrator discards', async () => {
    const restored = await startRestored()
    const { app, dona, mailed } = restored
    await dona.request('POST', `/atendimento/conversas/${conversaId}/mensagem`, { mensagem: 'depois' })
    expect(await decide(restored, 'descartar')).toEqual({
      status: 200,
      body: { mensagens: 1, emails: 2, agendadas: 1 },
    })
    await startBot(dona)
    await waitUntil(async () => (await textsOnPhone(restored)).includes('depois'))
    expect(await textsOnPhone(restored)).not.toContain('da cópia')
    expect(await app.sql('select estado, motivo from agendadas')).toEqual([
      { estado: 'falhou', motivo: 'copiaRestaurada' },
    ])
    expect(await app.sql('select 1 from prazos')).toEqual([])
    const { body } = await dona.request('GET', `/atendimento/conversas/${conversaId}`)
    expect(JSON.stringify(body)).not.toContain('finalizada')
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    expect(await textsOnPhone(restored)).not.toContain('agendada na cópia')
    expect(await app.sql("select estado, erro from mensagens where texto = 'da cópia'")).toEqual([
      { estado: 'falhou', erro: 'Esta mensagem esperava quando o sistema voltou de uma cópia, e foi descartada.' },
    ])
    expect(mailed).toEqual([])
    await app.close()
  })

  it('starts bots and sends immediately with consent', async () => {
    const restored = await startRestored({ consent: true })
    expect(await restored.restauracao()).toBe(null)
    // The process that made the backup does not run here.
    expect(await restored.app.sql('select 1 from nos')).toHaveLength(1)
    await waitUntil(async () => (await restored.lastMensagem())?.estado === 'enviada')
    await restored.app.close()
  })
})
