import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { createTestApp, loginAt, PASSWORD, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { databaseUrl, type Program, startProgram } from '#test/bot/program.ts'
import { chatOf, connectBot, givenConta, givenWaitingCustomer } from '#test/builders.ts'
import { killOwner, newFolder, queryTarget, startOwner } from '#test/db/fixtures/owner-process.ts'
import { runCli } from '#test/db/fixtures/run-cli.ts'

/** A copy of a busy server, restored into an empty folder. The tests build on each other. */

const EMAIL = 'dona-do-ensaio@loja.test'
const WAITING = '5511987650001'
const ERASED = '5511987650002'
const CUSTOMERS = 8
const ENV = { APP_SECRET: 'segredo de teste', BALCAO_BACKUP_CHAVE: 'uma frase comprida', DATABASE_URL: '' }

let folder: string
let dataDir: string
let source: TestApp
let conversaId: string
let started: Program | undefined
let dona: TestUser
/** Texts that the server had stored before the copy began, and texts sent after it ended. */
const before = new Set<string>()
const after = new Set<string>()

const phoneOf = (customer: number): string => `55119222${20_000 + customer}`
const textOf = (customer: number, message: number): string => `cliente ${customer} mensagem ${message}`

/** Makes a copy while customers write. Returns its file. */
async function copyWhileBusy(user: TestUser): Promise<string> {
  let phase: 'before' | 'during' | 'after' = 'before'
  let last = Infinity
  const customers = Array.from({ length: CUSTOMERS }, async (_, customer) => {
    for (let message = 0; message < last; message += 1) {
      const texto = textOf(customer, message)
      if (phase === 'after') after.add(texto)
      const body = { telefone: phoneOf(customer), nome: 'Duda', texto }
      expect((await user.request('POST', '/simulador/mensagens', body)).status).toBe(202)
      if (phase === 'before') before.add(texto)
      if (phase === 'after') last = Math.min(last, message + 5)
    }
  })
  await waitUntil(() => before.size > 50)
  phase = 'during'
  const copies = join(folder, 'copias')
  const env = { ...ENV, DATABASE_URL: databaseUrl(source.database), COPIA_DIR: copies }
  const done = await runCli(source.deps.settings.dataDir, ['copia'], { ...env, ARQUIVOS_DIR: source.arquivosDir })
  expect(done).toMatchObject({ code: 0 })
  phase = 'after'
  await Promise.all(customers)
  const [name = ''] = (await readdir(copies)).filter((entry) => entry.endsWith('.balcao'))
  return join(copies, name)
}

async function startRestored(): Promise<Program> {
  started = await startProgram({ database: source.database, dataDir, env: ENV })
  dona = await loginAt(started.url, EMAIL, PASSWORD)
  return started
}

const motivo = async (): Promise<unknown> => (await dona.request('GET', '/bot/status')).body['motivo']
const lastMensagem = async () => {
  const { body } = await dona.request('GET', `/atendimento/conversas/${conversaId}/mensagens`)
  return mensagensDaConversaRoute.response.parse(body).mensagens.at(-1)
}
const sentTexts = async (): Promise<string[]> =>
  (await chatOf(dona, WAITING)).filter(({ de }) => de === 'bot').map(({ texto }) => texto)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-ensaio-'))
  dataDir = newFolder()
  source = await createTestApp({ timings: { retryWaitsMs: [3_600_000] } })
})
afterAll(async () => {
  await started?.kill()
  await source?.close()
  await rm(folder, { recursive: true, force: true })
  await rm(dirname(dataDir), { recursive: true, force: true })
})

it('restores exactly the rows of one instant from a copy of a busy server', async () => {
  dona = await givenConta(source, 'Dona', { email: EMAIL })
  await connectBot(dona)
  conversaId = await givenWaitingCustomer(dona, WAITING)
  await dona.request('POST', '/simulador/mensagens', { telefone: ERASED, nome: 'Rui', texto: 'me esqueça' })
  await waitUntil(async () => (await source.sql('select 1 from saida')).length === 0)
  await dona.request('POST', '/simulador/falhas', { envios: 1 })
  await dona.request('POST', `/atendimento/conversas/${conversaId}/mensagem`, { mensagem: 'da cópia' })
  await waitUntil(async () => (await source.sql('select 1 from saida where tentativas = 1')).length === 1)

  const copy = await copyWhileBusy(dona)
  expect((await dona.request('DELETE', `/lgpd/titulares/${ERASED}`)).status).toBe(200)
  const imported = await runCli(dataDir, ['import', copy], ENV)
  expect(imported).toMatchObject({ code: 0, dito: expect.stringContaining('Nada sai e nenhum bot liga') })
  await copyFile(join(source.deps.settings.dataDir, 'apagados'), join(dataDir, 'apagados'))

  const owner = await startOwner(dataDir)
  const texts = (await queryTarget(owner.target, "select texto from mensagens where texto like 'cliente %'")).map(
    (row) => String(Object(row).texto),
  )
  const restored = new Set(texts)
  expect(restored.size).toBe(texts.length)
  expect([...before].filter((text) => !restored.has(text))).toEqual([])
  expect([...after].filter((text) => restored.has(text))).toEqual([])
  // Each customer writes one message after the other, so one instant contains the first ones without a gap.
  for (let customer = 0; customer < CUSTOMERS; customer += 1) {
    const count = texts.filter((text) => text.startsWith(`cliente ${customer} `)).length
    const first = Array.from({ length: count }, (_, message) => textOf(customer, message))
    expect(first.filter((text) => !restored.has(text))).toEqual([])
  }
  // The import adds its mark and forgets the processes.
  const [{ linhas, nos } = {}] = await source.sql(
    'select (select linhas from copias_seguranca) as linhas, (select count(*) from nos) as nos',
  )
  const [counted] = await queryTarget(
    owner.target,
    `select sum((xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', relname), false, true, '')))[1]::text::int)::int as n
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('migracoes', 'restauracoes', 'nos', 'painel_versoes', 'painel_arquivos')`,
  )
  expect(counted).toEqual({ n: Number(linhas) - Number(nos) })
  await killOwner(owner, 'SIGTERM')
})

it('sends nothing before the consent and keeps an erased customer erased', async () => {
  await startRestored()
  await waitUntil(async () => (await motivo()) === 'copiaRestaurada')
  expect((await dona.request('GET', `/lgpd/titulares/${ERASED}`)).status).toBe(404)
  expect((await dona.request('GET', `/lgpd/titulares/${WAITING}`)).status).toBe(200)
  expect(await lastMensagem()).toMatchObject({ texto: 'da cópia', estado: 'pendente' })
  expect(await sentTexts()).not.toContain('da cópia')
  expect(await runCli(dataDir, ['liberar', '--enviar'], ENV)).toMatchObject({ code: 0 })
  await waitUntil(async () => (await lastMensagem())?.estado === 'enviada')
  expect((await sentTexts()).filter((text) => text === 'da cópia')).toHaveLength(1)
})

it('holds a database that db:restaurada marked, and refuses the mark beside a running server', async () => {
  expect(await runCli(dataDir, ['restaurada'], ENV)).toMatchObject({ code: 1, dito: expect.stringContaining('em uso') })
  expect(await started?.terminate()).toBe(0)
  expect(await runCli(dataDir, ['restaurada', 'ontem'], ENV)).toMatchObject({ code: 1 })
  expect(await runCli(dataDir, ['restaurada', '2026-11-21T14:59:00Z'], ENV)).toMatchObject({
    code: 0,
    dito: expect.stringMatching(/Cópia de 2026-11-21T14:59:00.000Z. .*Bots ligados: 1.[^]+Nada sai/),
  })
  const program = await startRestored()
  await waitUntil(async () => (await motivo()) === 'copiaRestaurada')
  expect((await program.request('GET', '/admin/sistema')).body['restauracao']).toMatchObject({
    copiaDe: '2026-11-21T14:59:00.000Z',
  })
  expect(await runCli(dataDir, ['liberar', '--descartar'], ENV)).toMatchObject({ code: 0 })
  await waitUntil(async () => (await dona.request('GET', '/bot/status')).body['status'] === 'CONECTADO')
})
