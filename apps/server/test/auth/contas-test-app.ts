import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { apiRoutes } from '@balcao/contract/routes/all'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { createDiskFiles } from '#adapters/disk/files.ts'
import type { Deps } from '#deps.ts'
import { mount } from '#http/handle.ts'
import { createHttp } from '#http/server.ts'
import { createIds } from '#ids.ts'
import { auditoriaRoutes } from '#modules/auditoria/index.ts'
import { authRoutes, createAuthenticate, ensureFirstAdmin } from '#modules/auth/index.ts'
import { usuariosRoutes } from '#modules/usuarios/index.ts'
import type { Mailer } from '#ports/mailer.ts'
import { createVault } from '#security/vault.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

export interface TestResponse {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Readonly<Record<string, unknown>>
}

interface TestRequest {
  readonly token?: string
  readonly body?: unknown
  readonly ip?: string
}

export const ADMIN = { email: 'chefe@balcao.test', senha: 'chave-do-chefe' } as const

const STOPPED_STATUS: BotStatus = {
  status: 'PARADO',
  isRunning: false,
  inicializado: false,
  qrCode: null,
  qr: null,
  conversasAtivas: [],
  logs: [],
}

/** The account routes over HTTP on a separate database. Bots and sockets only record calls. */
export interface ContasTestApp {
  readonly http: FastifyInstance
  readonly deps: Omit<Deps, 'simulador'>
  readonly database: TestDatabase
  readonly calls: string[]
  readonly advance: (ms: number) => void
  readonly request: (
    metodo: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    pedido?: TestRequest,
  ) => Promise<TestResponse>
  readonly login: (email: string, password: string, mais?: object) => Promise<string>
  readonly admin: () => Promise<string>
  /** Registers a user and returns the id; the user is pending. */
  readonly register: (email: string, password?: string) => Promise<string>
  readonly approve: (id: string) => Promise<void>
  readonly close: () => Promise<void>
}

export async function createContasTestApp(
  mailer: Mailer = { configured: false, send: () => Promise.reject(new Error('no mail server')) },
): Promise<ContasTestApp> {
  const banco = await createTestDatabase()
  const done: string[] = []
  let agora = Date.parse('2026-03-10T15:00:00Z')
  const clock = { now: () => new Date(agora) }
  const log = pino({ level: 'silent' })
  const deps: ContasTestApp['deps'] = {
    db: banco.db,
    clock,
    ids: createIds(clock),
    log,
    vault: createVault('um-segredo-so-para-os-testes'),
    mailer,
    files: createDiskFiles({ dir: '/nonexistent' }),
    realtime: {
      publish: () => undefined,
      openConversa: () => undefined,
      disconnect: (quem) => void done.push(`disconnect ${JSON.stringify(quem)}`),
    },
    ai: {
      answer: () => Promise.resolve({ tipo: 'falha', motivo: 'nenhuma' }),
      checkKey: () => Promise.resolve('nenhuma'),
      listModels: () => Promise.resolve(null),
    },
    oficial: { parseWebhook: () => [], listModelos: () => Promise.resolve([]), wake: () => undefined },
    applyEventIn: () => Promise.resolve(),
    bots: {
      start: () => Promise.resolve(STOPPED_STATUS),
      stop: (contaId) => {
        done.push(`parar ${contaId}`)
        return Promise.resolve(STOPPED_STATUS)
      },
      clearSession: () => Promise.resolve(),
      pairingCode: () => Promise.reject(new Error('no phone')),
      status: () => Promise.resolve(STOPPED_STATUS),
      contextChanged: (contaId) => void done.push(`contextoMudou ${contaId}`),
      leasesAlive: () => true,
      outboxAdded: () => undefined,
      typing: () => undefined,
      forgetContato: () => undefined,
    },
    ...createAuthenticate({ db: banco.db, clock }),
    settings: {
      urlPublica: 'https://painel.test',
      conectorPadrao: 'simulador',
      dataDir: '/nonexistent',
      metricsToken: null,
    },
  }
  const http = await createHttp({ log, trustProxy: false })
  for (const route of [...authRoutes(deps), ...usuariosRoutes(deps), ...auditoriaRoutes(deps)])
    mount(http, deps.authenticate, route)
  await ensureFirstAdmin(deps, ADMIN)

  const request: ContasTestApp['request'] = async (method, path, { token, body, ip = '203.0.113.1' } = {}) => {
    const reply = await http.inject({
      method,
      url: `/api${path}`,
      remoteAddress: ip,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { payload: JSON.stringify(body), headers: jsonHeaders(token) }),
    })
    const parsed: unknown = reply.body === '' ? {} : JSON.parse(reply.body)
    return { status: reply.statusCode, body: toRecord(parsed), headers: reply.headers }
  }
  const login: ContasTestApp['login'] = async (email, senha, mais = {}) => {
    const { status, body } = await request('POST', '/auth/login', { body: { email, senha, ...mais } })
    if (status !== 200) throw new Error(`login of ${email}: ${status} ${JSON.stringify(body)}`)
    return apiRoutes.login.response.parse(body).token
  }
  return {
    http,
    deps,
    database: banco,
    calls: done,
    advance: (ms) => void (agora += ms),
    request,
    login,
    admin: () => login(ADMIN.email, ADMIN.senha),
    register: async (email, senha = 'senha-de-teste') => {
      const fresh = { nome: `Pessoa ${email}`, email, senha, telefone: '11987654321', empresa: 'Padaria' }
      const { status, body } = await request('POST', '/auth/register', { body: fresh })
      if (status !== 201) throw new Error(`register ${email}: ${status} ${JSON.stringify(body)}`)
      const { rows } = await banco.owner.query<{ id: string }>(
        'select id from usuarios where email = $1 and excluido_em is null',
        [email],
      )
      return rows[0]?.id ?? ''
    },
    approve: async (id) => {
      await banco.owner.query("update usuarios set status = 'ativo' where id = $1", [id])
    },
    close: async () => {
      await http.close()
      await banco.drop()
    },
  }
}

function jsonHeaders(token: string | undefined): Record<string, string> {
  const tipo = { 'content-type': 'application/json' }
  return token === undefined ? tipo : { ...tipo, authorization: `Bearer ${token}` }
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}
