import { type Api, createApi } from './api.ts'
import { ADMIN, type Product } from './product.ts'

/** An approved owner whose bot is connected to the simulated phone, made through the API. */
export interface LojaPronta {
  /** One client per login: each token has its own allowance of requests. */
  readonly apis: readonly Api[]
}

const DONA = {
  nome: 'Ana Ribeiro',
  email: 'ana@aurora.com.br',
  telefone: '11987654321',
  empresa: 'Padaria Aurora',
  senha: 'pao-quentinho',
}
const LOGINS = 5

/** What is at a path inside an answer; undefined when there is nothing. */
export function at(valor: unknown, ...caminho: readonly string[]): unknown {
  return caminho.reduce<unknown>(
    (dentro, chave) =>
      typeof dentro === 'object' && dentro !== null
        ? Object.entries(dentro).find(([nome]) => nome === chave)?.[1]
        : undefined,
    valor,
  )
}

/** Asks until the answer is the one waited for. Who waits too long is told by the test's own limit. */
export async function until(pergunta: () => Promise<boolean>, pausaMs = 100): Promise<void> {
  while (!(await pergunta())) await new Promise((resolve) => setTimeout(resolve, pausaMs))
}

async function login(url: string, email: string, senha: string): Promise<{ api: Api; id: string }> {
  const resposta = await createApi(url).post('/auth/login', { email, senha })
  return { api: createApi(url, String(at(resposta, 'token'))), id: String(at(resposta, 'usuario', 'id')) }
}

async function statusDoBot(api: Api): Promise<unknown> {
  return at(await api.get('/bot/status').catch(() => undefined), 'status')
}

/** Registers, approves, sets the menu, starts the bot and scans its code. */
export async function abrirLoja({ url }: Product, menu: object, limiteMensagensDia: number): Promise<LojaPronta> {
  const publica = createApi(url)
  await publica.post('/auth/register', DONA)
  const { api: admin } = await login(url, ADMIN.email, ADMIN.senha)
  const lista = at(await admin.get('/admin/usuarios'), 'usuarios')
  const dona: unknown = Array.isArray(lista) ? lista.find((usuario) => at(usuario, 'email') === DONA.email) : undefined
  const id = String(at(dona, 'id'))
  await admin.put(`/admin/usuarios/${id}/status`, { status: 'ativo' })
  await admin.post(`/admin/usuarios/${id}/limite-mensagens`, { limiteMensagensDia })
  const logins = await Promise.all(Array.from({ length: LOGINS }, () => login(url, DONA.email, DONA.senha)))
  const apis = logins.map(({ api }) => api)
  const [api] = apis
  if (api === undefined) throw new Error('no login')
  const config = at(await api.get('/config'), 'config')
  await api.put('/config', {
    ...Object(config),
    whatsapp: { ...Object(at(config, 'whatsapp')), clientId: 'padaria-aurora' },
    menu: { ...Object(at(config, 'menu')), ...menu },
  })
  await api.post('/bot/iniciar')
  await until(async () => (await statusDoBot(api)) === 'AGUARDANDO_QR')
  await api.post('/simulador/escanear')
  await until(async () => (await statusDoBot(api)) === 'CONECTADO')
  return { apis }
}
