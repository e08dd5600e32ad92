import { setTimeout } from 'node:timers/promises'
import { parseEnv } from '#env.ts'
import {
  ADMIN_LOGIN,
  createTestApp,
  recordOrders,
  type TestApp,
  type TestAppOptions,
  type WholeAnswer,
} from '#test/app.ts'

export type TestResponse = WholeAnswer
export const ADMIN = ADMIN_LOGIN
export const METRICS_TOKEN = 'leitura-das-metricas'
const START = '2026-03-10T15:00:00Z'

/** The server with the clock standing still. Orders to bots and sockets are recorded, not carried out. */
export interface ContasTestApp extends Pick<TestApp, 'deps' | 'database' | 'advance' | 'close'> {
  readonly calls: string[]
  /** Delays in ms that the server requested. They are waited only while `real` is true. */
  readonly delays: { asked: number[]; real: boolean }
  readonly request: TestApp['send']
  /** Returns the token. */
  readonly login: (email: string, senha: string, more?: object) => Promise<string>
  readonly admin: () => Promise<string>
  /** Registers a user and returns the id; the user is pending. */
  readonly register: (email: string, senha?: string) => Promise<string>
  readonly approve: (id: string) => Promise<void>
}

export async function createContasTestApp(
  options: Pick<TestAppOptions, 'mailer' | 'passwords'> = {},
): Promise<ContasTestApp> {
  const delays: ContasTestApp['delays'] = { asked: [], real: false }
  const app = await createTestApp({
    sleep: async (ms) => {
      delays.asked.push(ms)
      await setTimeout(delays.real ? ms : 0)
    },
    now: START,
    trustProxy: parseEnv({ TRUST_PROXY: 'true' }).trustProxy,
    background: false,
    settings: { urlPublica: 'https://painel.test', metricsToken: METRICS_TOKEN },
    ...options,
  })
  const calls = recordOrders(app)
  const request: ContasTestApp['request'] = (method, path, options) =>
    app.send(method, path, { ip: '203.0.113.1', ...options })
  const login: ContasTestApp['login'] = async (email, senha, more = {}) => {
    const { status, body, text } = await request('POST', '/auth/login', { body: { email, senha, ...more } })
    if (status !== 200) throw new Error(`login of ${email}: ${status} ${text}`)
    return String(body['token'])
  }
  return {
    deps: app.deps,
    database: app.database,
    advance: app.advance,
    close: app.close,
    calls,
    delays,
    request,
    login,
    admin: () => login(ADMIN.email, ADMIN.senha),
    register: async (email, senha = 'senha-de-teste') => {
      const fresh = { nome: `Pessoa ${email}`, email, senha, telefone: '11987654321', empresa: 'Padaria' }
      const { status, text } = await request('POST', '/auth/register', { body: fresh })
      if (status !== 201) throw new Error(`register ${email}: ${status} ${text}`)
      const [row] = await app.sql('select id::text from usuarios where email = $1 and excluido_em is null', [email])
      return typeof row?.['id'] === 'string' ? row['id'] : ''
    },
    approve: async (id) => void (await app.sql("update usuarios set status = 'ativo' where id = $1", [id])),
  }
}
