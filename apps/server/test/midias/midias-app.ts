import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { type MensagemSimulada, mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { apiRoutes } from '@balcao/contract/routes/all'
import type { Deps } from '#deps.ts'
import { composeServer, type ServerOptions } from '#composition.ts'
import { createIds } from '#ids.ts'
import { ensureFirstAdmin } from '#modules/auth/index.ts'
import { createVault } from '#security/vault.ts'
import { waitUntil } from '#test/bot/test-runtime.ts'
import { createTestDatabase } from '#test/database.ts'

const ADMIN = { email: 'chefe@balcao.test', senha: 'chave-do-chefe' }
const listSchema = z.object({ mensagens: z.array(mensagemSimuladaSchema) })
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })
const bodySchema = z.record(z.string(), z.unknown())

export interface ApiAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export interface MidiasUser {
  readonly contaId: string
  readonly request: (metodo: string, path: string, body?: unknown) => Promise<ApiAnswer>
  readonly sendAsCustomer: (telefone: string, fields?: Readonly<Record<string, string | Blob>>) => Promise<ApiAnswer>
  readonly chat: (telefone: string) => Promise<MensagemSimulada[]>
  readonly connectBot: () => Promise<void>
}

export interface MidiasApp {
  readonly deps: Deps
  readonly url: string
  readonly arquivosDir: string
  readonly login: (email?: string) => Promise<MidiasUser>
  readonly filesOnDisk: (contaId: string) => Promise<string[]>
  readonly sql: (texto: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  readonly advance: (ms: number) => void
  readonly idle: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Server on a real port with a separate file folder. */
export async function createMidiasApp(options: Partial<ServerOptions> = {}): Promise<MidiasApp> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp('/tmp/balcao-midias-')
  let adiantado = 0
  const clock = { now: () => new Date(Date.now() + adiantado) }
  const house = await composeServer({
    ...{ db: database.db, clock, ids: createIds(clock), log: pino({ level: 'silent' }) },
    vault: createVault('segredo de teste'),
    mailer: { configured: false, send: () => Promise.resolve() },
    settings: { urlPublica: 'http://localhost:3000', conectorPadrao: 'simulador', dataDir, metricsToken: null },
    trustProxy: false,
    ...options,
    timings: { retryWaitsMs: [20, 40, 60, 80] },
  })
  await ensureFirstAdmin(house.deps, ADMIN)
  const url = await house.http.listen({ host: '127.0.0.1', port: 0 })
  await house.start()
  const arquivosDir = join(dataDir, 'arquivos')

  const sql: MidiasApp['sql'] = async (texto, values) =>
    (await database.owner.query<Record<string, unknown>>(texto, values)).rows
  const create = async (email: string): Promise<void> => {
    const admin = await loginAs(url, ADMIN)
    await admin('POST', '/admin/usuarios', { nome: 'Ana', email, senha: ADMIN.senha, telefone: '', empresa: '' })
  }
  return {
    deps: house.deps,
    url,
    arquivosDir,
    sql,
    login: async (email = ADMIN.email) => {
      if (email !== ADMIN.email) await create(email)
      const [usuario] = await sql('select conta_id from usuarios where email = $1', [email])
      return midiasUser(await loginAs(url, { email, senha: ADMIN.senha }), String(usuario?.['conta_id']))
    },
    filesOnDisk: (contaId) => readdir(join(arquivosDir, contaId)).catch(() => []),
    advance: (ms) => void (adiantado += ms),
    idle: house.idle,
    close: async () => {
      for (const { name, close } of house.parts) if (name !== 'database') await close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function loginAs(url: string, credentials: typeof ADMIN): Promise<MidiasUser['request']> {
  const ask = async (token: string | null, metodo: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    const form = body instanceof FormData
    const reply = await fetch(`${url}/api${path}`, {
      method: metodo,
      headers: {
        // Without keep-alive: the server could close an idle connection just as the next request uses it.
        connection: 'close',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    })
    const texto = await reply.text()
    return { status: reply.status, body: texto === '' ? {} : bodySchema.parse(JSON.parse(texto)) }
  }
  const { token } = apiRoutes.login.response.parse((await ask(null, 'POST', '/auth/login', credentials)).body)
  return (metodo, path, body) => ask(token, metodo, path, body)
}

function midiasUser(request: MidiasUser['request'], contaId: string): MidiasUser {
  return {
    contaId,
    request,
    sendAsCustomer: (telefone, fields = {}) => {
      const form = new FormData()
      form.set('telefone', telefone)
      form.set('nome', 'Duda')
      for (const [nome, value] of Object.entries(fields)) form.set(nome, value)
      return request('POST', '/simulador/mensagens', form)
    },
    chat: async (telefone) =>
      listSchema.parse((await request('GET', `/simulador/mensagens?telefone=${telefone}`)).body).mensagens,
    connectBot: async () => {
      const { config } = configRespostaSchema.parse((await request('GET', '/config')).body)
      const whatsapp = { ...config.whatsapp, clientId: 'loja' }
      await request('PUT', '/config', { ...config, whatsapp, menu: { ...config.menu, digitando: false } })
      await request('POST', '/bot/iniciar')
      await waitUntil(async () => (await request('POST', '/simulador/escanear')).status === 200)
    },
  }
}

/** File of a multipart form. The server must ignore its declared type. */
export function formFile(bytes: Buffer, name: string, type = 'image/png'): File {
  return new File([new Uint8Array(bytes)], name, { type: type })
}

export async function lastMidiaOf(user: MidiasUser, phone: string): Promise<Midia> {
  return waitUntil(async () => (await user.chat(phone)).findLast(({ de }) => de === 'cliente')?.midia ?? null)
}
