import { type ApiClient, createApiClient } from './api.ts'
import { ADMIN, type Product } from './product.ts'

export interface ReadyConta {
  /** One client per login, because each token has its own request limit. */
  readonly apis: readonly ApiClient[]
  readonly tokens: readonly string[]
}

interface ReadyContaOptions {
  readonly menu?: object
  readonly atendimento?: object
  readonly ia?: object
  readonly limiteMensagensDia?: number
  /** Default: 1. Each login costs the product one password hash. */
  readonly logins?: number
  /** Default: `DONA`. */
  readonly dona?: typeof DONA
}

export const DONA = {
  nome: 'Ana Ribeiro',
  email: 'ana@aurora.com.br',
  telefone: '11987654321',
  empresa: 'Padaria Aurora',
  senha: 'pao-quentinho',
}
const DAILY_LIMIT = 100_000

export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (dentro, key) =>
      typeof dentro === 'object' && dentro !== null
        ? Object.entries(dentro).find(([name]) => name === key)?.[1]
        : undefined,
    value,
  )
}

/** Repeats the question until it answers true. Only the test's timeout ends it. */
export async function until(condition: () => Promise<boolean> | boolean, pauseMs = 100): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, pauseMs))
}

export async function loginToApi(
  url: string,
  email: string,
  senha: string,
): Promise<{ api: ApiClient; token: string }> {
  const token = String(at(await createApiClient(url).post('/auth/login', { email, senha }), 'token'))
  return { api: createApiClient(url, token), token }
}

async function botStatus(api: ApiClient): Promise<unknown> {
  return at(await api.get('/bot/status').catch(() => undefined), 'status')
}

/** Registers and approves the owner and saves the given config. The bot stays stopped. */
export async function prepareConta(
  { url }: Product,
  {
    menu = {},
    atendimento = {},
    ia = {},
    limiteMensagensDia = DAILY_LIMIT,
    logins = 1,
    dona = DONA,
  }: ReadyContaOptions = {},
): Promise<ReadyConta> {
  const publica = createApiClient(url)
  await publica.post('/auth/register', dona)
  const { api: admin } = await loginToApi(url, ADMIN.email, ADMIN.senha)
  const lista = at(await admin.get('/admin/usuarios'), 'usuarios')
  const usuario: unknown = Array.isArray(lista) ? lista.find((one) => at(one, 'email') === dona.email) : undefined
  const id = String(at(usuario, 'id'))
  await admin.put(`/admin/usuarios/${id}/status`, { status: 'ativo' })
  await admin.post(`/admin/usuarios/${id}/limite-mensagens`, { limiteMensagensDia })
  // One login after the other, because parallel logins run into the limit of attempts.
  const sessions: Awaited<ReturnType<typeof loginToApi>>[] = []
  while (sessions.length < logins) sessions.push(await loginToApi(url, dona.email, dona.senha))
  const apis = sessions.map((session) => session.api)
  const [api] = apis
  if (api === undefined) throw new Error('login missing')
  const config = at(await api.get('/config'), 'config')
  await api.put('/config', {
    ...Object(config),
    whatsapp: { ...Object(at(config, 'whatsapp')), clientId: 'padaria-aurora' },
    menu: { ...Object(at(config, 'menu')), ...menu },
    atendimento: { ...Object(at(config, 'atendimento')), ...atendimento },
    ia: { ...Object(at(config, 'ia')), ...ia },
  })
  return { apis, tokens: sessions.map(({ token }) => token) }
}

export async function prepareContaWithBot(product: Product, options: ReadyContaOptions = {}): Promise<ReadyConta> {
  const loja = await prepareConta(product, options)
  const [api] = loja.apis
  if (api === undefined) throw new Error('login missing')
  await api.post('/bot/iniciar')
  await until(async () => (await botStatus(api)) === 'AGUARDANDO_QR')
  await api.post('/simulador/escanear')
  await until(async () => (await botStatus(api)) === 'CONECTADO')
  return loja
}
