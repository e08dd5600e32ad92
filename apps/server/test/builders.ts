import type { Conversa } from '@balcao/contract/entities/conversa'
import { type Config, configSchema } from '@balcao/contract/entities/config'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { type MensagemSimulada, mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { criarOperadorRoute } from '@balcao/contract/routes/operadores'
import * as z from 'zod/mini'
import { type Answer, PASSWORD, type TestApp, type TestUser, waitUntil } from '#test/app.ts'

const configResponse = z.object({ config: z.looseObject(configSchema.shape) })
const chatResponse = z.object({ mensagens: z.array(mensagemSimuladaSchema) })
let people = 0

/** Creates a conta through the administration and logs its dono in. */
export async function givenConta(
  app: TestApp,
  nome = 'Dona Ana',
  { email = `dona${(people += 1)}@loja.test`, empresa = 'Padaria Aurora' } = {},
): Promise<TestUser> {
  const registration = { nome, email, senha: PASSWORD, telefone: '', empresa }
  const { status, body } = await app.request('POST', '/admin/usuarios', registration)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return app.login(email)
}

export async function givenOperador(
  app: TestApp,
  dono: TestUser,
  { nome = 'Otto', setores = [] }: { nome?: string; setores?: string[] } = {},
): Promise<TestUser> {
  const email = `gente${(people += 1)}@loja.test`
  const { body } = await dono.request('POST', '/conta/operadores', { nome, email, setores, senha: PASSWORD })
  criarOperadorRoute.response.parse(body)
  return app.login(email)
}

/** Saves the configuracao with the simulador and without the typing delay. */
export async function saveConfig(
  { request }: Pick<TestUser, 'request'>,
  change: (config: Config) => object = (config) => config,
): Promise<void> {
  const { config } = configResponse.parse((await request('GET', '/config')).body)
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
export function formFile(bytes: Buffer, name: string, type = 'image/png'): File {
  return new File([new Uint8Array(bytes)], name, { type })
}
