import { type Componente, COMPONENTES } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { defaultConfig } from '@balcao/contract/defaults'
import type { Config, VersionedConfig } from '@balcao/contract/entities/config'
import { completeConfig, configInputSchema } from '@balcao/contract/entities/config-input'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { type MensagemSimulada, mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { configRoute } from '@balcao/contract/routes/config'
import { criarOperadorRoute } from '@balcao/contract/routes/operadores'
import * as z from 'zod/mini'
import type { LoginSession } from '#http/authentication.ts'
import { insertLoginSession } from '#modules/auth/login-sessions.ts'
import { insertDefaultConfig } from '#modules/configuracao/index.ts'
import { hashToken } from '#security/token.ts'
import { type Answer, PASSWORD, type TestApp, type TestUser, waitUntil } from '#test/app.ts'

/** A server of the version before lacks fields, which `completeConfig` adds. */
const configResponse = z.object({ config: configInputSchema })
const chatResponse = z.object({ mensagens: z.array(mensagemSimuladaSchema) })
let people = 0

/** Creates a conta through the administration and logs its dono in. */
export async function givenConta(
  app: Pick<TestApp, 'request' | 'login'>,
  nome = 'Dona Ana',
  { email = `dona${(people += 1)}@loja.test`, empresa = 'Padaria Aurora' } = {},
): Promise<TestUser> {
  const registration = { nome, email, senha: PASSWORD, telefone: '', empresa }
  const { status, body } = await app.request('POST', '/admin/usuarios', registration)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return app.login(email)
}

export async function givenOperador(
  app: Pick<TestApp, 'login'>,
  dono: Pick<TestUser, 'request'>,
  { nome = 'Otto', setores = [], linhas = [] }: { nome?: string; setores?: string[]; linhas?: string[] } = {},
): Promise<TestUser> {
  const email = `gente${(people += 1)}@loja.test`
  const input = { nome, email, setores, linhas, senha: PASSWORD }
  const { body } = await dono.request('POST', '/conta/operadores', input)
  criarOperadorRoute.response.parse(body)
  return app.login(email)
}

/** Saves the configuracao with the simulador and without the typing delay. */
export async function saveConfig(
  { request }: Pick<TestUser, 'request'>,
  change: (config: Config) => object = (config) => config,
): Promise<void> {
  const { config: stored } = configResponse.parse((await request('GET', '/config')).body)
  const config = completeConfig(defaultConfig(), stored)
  const whatsapp = { ...config.whatsapp, conector: 'simulador' as const, clientId: 'loja' }
  const changed = change({ ...config, whatsapp, menu: { ...config.menu, digitando: false } })
  const { status, body } = await request('PUT', '/config', changed)
  if (status !== 200) throw new Error(`configuration not saved: ${JSON.stringify(body)}`)
}

/** Starts the bot on the simulador, scanning when it asks for it. */
export async function startBot({ request }: Pick<TestUser, 'request'>): Promise<void> {
  const started = await request('POST', '/bot/iniciar')
  if (started.status !== 200) throw new Error(`bot not started: ${JSON.stringify(started.body)}`)
  const status = async (): Promise<unknown> => (await request('GET', '/bot/status')).body['status']
  await waitUntil(async () => ['AGUARDANDO_QR', 'CONECTADO'].includes(String(await status())))
  if ((await status()) === 'AGUARDANDO_QR') await request('POST', '/simulador/escanear')
  await waitUntil(async () => (await status()) === 'CONECTADO')
}

export async function connectBot(user: Pick<TestUser, 'request'>, change?: (config: Config) => object): Promise<void> {
  await saveConfig(user, change)
  await startBot(user)
}

/** Menu option 7 hands over to the setor `vendas`. */
export const withVendas = (config: Config): Config => ({
  ...config,
  menu: {
    ...config.menu,
    opcoes: [...config.menu.opcoes, { numero: '7', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' }],
  },
})

/** A customer writes on the simulador. Files and texts are fields of the form. */
export function sendAsCustomer(
  { request }: Pick<TestUser, 'request'>,
  telefone: string,
  fields: Readonly<Record<string, string | Blob>> = {},
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ telefone, nome: 'Duda', ...fields })) form.set(name, value)
  return request('POST', '/simulador/mensagens', form)
}

export async function customerSays(
  { request }: Pick<TestUser, 'request'>,
  telefone: string,
  ...texts: readonly string[]
): Promise<void> {
  for (const texto of texts) {
    const { status } = await request('POST', '/simulador/mensagens', { telefone, nome: 'Bia', texto })
    if (status !== 202) throw new Error(`simulador answered ${status}`)
  }
}

/** The chat on the customer's phone. */
export async function chatOf(
  { request }: Pick<TestUser, 'request'>,
  telefone: string,
): Promise<readonly MensagemSimulada[]> {
  return chatResponse.parse((await request('GET', `/simulador/mensagens?telefone=${telefone}`)).body).mensagens
}

export function lastMidiaOf(user: Pick<TestUser, 'request'>, telefone: string): Promise<Midia> {
  return waitUntil(async () => (await chatOf(user, telefone)).findLast(({ de }) => de === 'cliente')?.midia ?? null)
}

/** The address of a chat file as it is stored, without expiry and signature. */
export function storedUrl(url = ''): string {
  return url.split('?')[0] ?? ''
}

export async function openConversas({ request }: Pick<TestUser, 'request'>, query = ''): Promise<readonly Conversa[]> {
  return conversasHumanasRoute.response.parse((await request('GET', `/atendimento/conversas${query}`)).body).conversas
}

/** Creates a customer who waits for a person. Returns the id of the conversa. */
export async function givenWaitingCustomer(
  user: Pick<TestUser, 'request'>,
  telefone: string,
  text = 'atendente',
): Promise<string> {
  await customerSays(user, telefone, 'oi', text)
  const conversa = (await openConversas(user)).find(({ cliente }) => cliente.telefone === telefone)
  if (conversa === undefined) throw new Error('customer not in the queue')
  return conversa.id
}

/** File of a multipart form. The server must ignore its declared type. */
/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export function formFile(bytes: Buffer, name: string, type = 'image/png'): File {
  return new File([new Uint8Array(bytes)], name, { type })
}

/** Statements that wait for a lock. */
export async function countLockWaits({ sql }: Pick<TestApp, 'sql'>): Promise<number> {
  const rows = await sql(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`,
  )
  return rows.length
}

export interface TestPerson {
  readonly token: string
  readonly contaId: string
  readonly usuarioId: string
}

interface PersonOptions {
  readonly tipo?: LoginSession['tipo']
  readonly nome?: string
  readonly contaId?: string
  /** Components that the conta may not use. */
  readonly sem?: readonly Componente[]
}

/** Writes a person and a login session into the database. Faster than a login, which hashes a password. */
export async function givenPerson(
  { deps }: Pick<TestApp, 'deps'>,
  { tipo = 'usuario', nome = 'Ana', contaId = deps.ids.uuid(), sem = [] }: PersonOptions = {},
): Promise<TestPerson> {
  const usuarioId = deps.ids.uuid()
  const { token } = await deps.db.transaction(contaId, async (tx) => {
    const { rowCount } = await tx.query(
      `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos) values ($1, 'Loja', 1000, $2)
       on conflict do nothing`,
      [contaId, JSON.stringify(componentesWithout(sem))],
    )
    if (rowCount === 1) await insertDefaultConfig(tx, deps, contaId, { author: { id: usuarioId, nome }, empresa: '' })
    await tx.query(
      `insert into usuarios (id, conta_id, nome, email, tipo, status, senha_hash)
       values ($1, $2, $3, $4, $5, 'ativo', 'nenhuma')`,
      [usuarioId, contaId, nome, `${usuarioId}@exemplo.com`, tipo],
    )
    return insertLoginSession(tx, deps, { usuarioId, lembrar: true, ip: '127.0.0.1', agente: '' })
  })
  return { token, contaId, usuarioId }
}

const componentesWithout = (sem: readonly Componente[]): Record<string, boolean> =>
  Object.fromEntries(COMPONENTES.map((componente) => [componente, !sem.includes(componente)]))

/** Ends a login session in the database, without notifying its sockets. */
export async function endLoginSession({ deps, sql }: Pick<TestApp, 'deps' | 'sql'>, token: string): Promise<void> {
  await sql('update sessoes set revogada_em = $2 where token_hash = $1', [hashToken(token), deps.clock.now()])
  await deps.forgetSessions()
}

export async function setComponentes(
  { deps, sql }: Pick<TestApp, 'deps' | 'sql'>,
  contaId: string,
  sem: readonly Componente[],
): Promise<void> {
  await sql('update contas set componentes_permitidos = $2 where id = $1', [
    contaId,
    JSON.stringify(componentesWithout(sem)),
  ])
  await deps.forgetSessions()
}

export async function getConfig(
  { send }: Pick<TestApp, 'send'>,
  { token }: Pick<TestPerson, 'token'>,
): Promise<VersionedConfig> {
  return configRoute.response.parse((await send('GET', '/config', { token })).body).config
}
