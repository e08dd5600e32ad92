import { type Api, createApi } from './api.ts'
import { ADMIN, type Product } from './product.ts'

export interface LojaPronta {
  /** One client per login, because each token has its own request limit. */
  readonly apis: readonly Api[]
  readonly tokens: readonly string[]
}

interface OpcoesDaLoja {
  readonly menu?: object
  readonly atendimento?: object
  readonly ia?: object
  readonly limiteMensagensDia?: number
  readonly logins?: number
}

export const DONA = {
  nome: 'Ana Ribeiro',
  email: 'ana@aurora.com.br',
  telefone: '11987654321',
  empresa: 'Padaria Aurora',
  senha: 'pao-quentinho',
}
const LOGINS = 5
const LIMITE = 100_000

export function at(valor: unknown, ...caminho: readonly string[]): unknown {
  return caminho.reduce<unknown>(
    (dentro, chave) =>
      typeof dentro === 'object' && dentro !== null
        ? Object.entries(dentro).find(([nome]) => nome === chave)?.[1]
        : undefined,
    valor,
  )
}

/** Repeats the question until it answers true. Only the test's timeout ends it. */
export async function until(pergunta: () => Promise<boolean>, pausaMs = 100): Promise<void> {
  while (!(await pergunta())) await new Promise((resolve) => setTimeout(resolve, pausaMs))
}

export async function login(url: string, email: string, senha: string): Promise<{ api: Api; token: string }> {
  const token = String(at(await createApi(url).post('/auth/login', { email, senha }), 'token'))
  return { api: createApi(url, token), token }
}

async function statusDoBot(api: Api): Promise<unknown> {
  return at(await api.get('/bot/status').catch(() => undefined), 'status')
}

/** Registers and approves the owner and saves the given config. The bot stays stopped. */
export async function abrirConta(
  { url }: Product,
  { menu = {}, atendimento = {}, ia = {}, limiteMensagensDia = LIMITE, logins = LOGINS }: OpcoesDaLoja = {},
): Promise<LojaPronta> {
  const publica = createApi(url)
  await publica.post('/auth/register', DONA)
  const { api: admin } = await login(url, ADMIN.email, ADMIN.senha)
  const lista = at(await admin.get('/admin/usuarios'), 'usuarios')
  const dona: unknown = Array.isArray(lista) ? lista.find((usuario) => at(usuario, 'email') === DONA.email) : undefined
  const id = String(at(dona, 'id'))
  await admin.put(`/admin/usuarios/${id}/status`, { status: 'ativo' })
  await admin.post(`/admin/usuarios/${id}/limite-mensagens`, { limiteMensagensDia })
  // One login after the other, because parallel logins run into the limit of attempts.
  const sessoes: Awaited<ReturnType<typeof login>>[] = []
  while (sessoes.length < logins) sessoes.push(await login(url, DONA.email, DONA.senha))
  const apis = sessoes.map((sessao) => sessao.api)
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
  return { apis, tokens: sessoes.map(({ token }) => token) }
}

export async function abrirLoja(product: Product, opcoes: OpcoesDaLoja = {}): Promise<LojaPronta> {
  const loja = await abrirConta(product, opcoes)
  const [api] = loja.apis
  if (api === undefined) throw new Error('login missing')
  await api.post('/bot/iniciar')
  await until(async () => (await statusDoBot(api)) === 'AGUARDANDO_QR')
  await api.post('/simulador/escanear')
  await until(async () => (await statusDoBot(api)) === 'CONECTADO')
  return loja
}
