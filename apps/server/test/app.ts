import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Socket } from 'socket.io-client'
import { vi } from 'vitest'
import * as z from 'zod/mini'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { loginRoute } from '@balcao/contract/routes/auth'
import { composeServer } from '#composition.ts'
import type { ComposedServer, ServerOptions } from '#composition/options.ts'
import type { Deps, Settings } from '#deps.ts'
import { createIds } from '#ids.ts'
import { ensureFirstAdmin } from '#modules/auth/index.ts'
import { createPasswords } from '#security/password.ts'
import { createVault } from '#security/vault.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createSockets, type TestSocket } from '#test/realtime/sockets.ts'

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export interface WholeAnswer extends Answer {
  readonly text: string
  readonly headers: Headers
}

export interface RequestOptions {
  readonly token?: string | undefined
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string
  /** Client address. Needs `trustProxy`. */
  readonly ip?: string
  readonly signal?: AbortSignal
}

export type SendRequest = (method: string, path: string, body?: unknown) => Promise<Answer>

/** A logged-in person. */
export interface TestUser {
  readonly token: string
  readonly contaId: string
  readonly usuario: Usuario
  readonly request: SendRequest
}

export interface TestAppOptions extends Partial<Omit<ServerOptions, 'settings'>> {
  /** Shared database. The caller drops it. */
  readonly database?: TestDatabase
  /** ISO time at which the clock stands still. Default: real time, moved by `advance`. */
  readonly now?: string
  readonly settings?: Partial<Settings>
  /** False: no bots and no periodic work. */
  readonly background?: boolean
}

/** The whole server on a real port, with a separate database and data folder. */
export interface TestApp {
  readonly url: string
  readonly server: ComposedServer
  readonly deps: Deps
  readonly database: TestDatabase
  readonly admin: TestUser
  /** Request of the administrator. */
  readonly request: SendRequest
  readonly send: (method: string, path: string, options?: RequestOptions) => Promise<WholeAnswer>
  /** Text of every response, to search for secrets. */
  readonly responseTexts: readonly string[]
  readonly login: (email: string, senha?: string) => Promise<TestUser>
  /** Connects a socket and collects its events from the first one on. */
  readonly connect: (user: Pick<TestUser, 'token'>) => Promise<TestSocket>
  /** Opens a socket without waiting for the connection. */
  readonly openSocket: (token: string | undefined, options?: { origin?: string }) => Socket
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  readonly setNow: (instant: string | Date) => void
  readonly advance: (ms: number) => void
  /** Sets the clock without time passing. */
  readonly jump: (ms: number) => void
  readonly arquivosDir: string
  readonly filesOnDisk: (contaId: string) => Promise<string[]>
  readonly idle: () => Promise<void>
  readonly close: () => Promise<void>
}

export const ADMIN_LOGIN = { email: 'dona@loja.test', senha: 'senha-da-dona' }
/** The cost of the product takes 25 ms for each login. */
const CHEAP_PASSWORDS = createPasswords({ memoryCost: 64, timeCost: 1 })
export const PASSWORD = 'pao-quente-da-casa'
const bodySchema = z.record(z.string(), z.unknown())

/**
 * Waits until `condition` returns a value, at most `ms`. The limit is below the test timeout, so that the error
 * names the condition.
 */
export async function waitUntil<T>(
  condition: () => Promise<T | null | false> | T | null | false,
  ms = 50_000,
): Promise<T> {
  const end = performance.now() + ms
  for (;;) {
    const value = await condition()
    if (value !== null && value !== false) return value
    if (performance.now() > end) throw new Error(`condition not met: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Sends one request to a running server. */
export async function sendRequest(
  url: string,
  method: string,
  path: string,
  { token, body, raw, ip, signal }: RequestOptions = {},
): Promise<WholeAnswer> {
  const form = body instanceof FormData ? body : undefined
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const content = form ?? text
  const reply = await fetch(`${url}${path.startsWith('/metrics') ? '' : '/api'}${path}`, {
    method,
    headers: {
      // A kept-alive connection may be closed by the server while the next request is being sent.
      connection: 'close',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined || form !== undefined ? {} : { 'content-type': 'application/json' }),
      ...(ip === undefined ? {} : { 'x-forwarded-for': ip }),
    },
    ...(content === undefined ? {} : { body: content }),
    ...(signal === undefined ? {} : { signal }),
  })
  requireCacheRule(path, reply.headers)
  const answer = await reply.text()
  const isJson = reply.headers.get('content-type')?.includes('json') === true
  const parsed = isJson ? bodySchema.parse(JSON.parse(answer)) : {}
  return { status: reply.status, text: answer, headers: reply.headers, body: parsed }
}

/** Every test that sends a request also checks that browsers do not store the answer. Files set their own rule. */
function requireCacheRule(path: string, headers: Headers): void {
  const rule = headers.get('cache-control')
  if (rule === 'no-store' || path.startsWith('/metrics')) return
  if (rule === null || !/^\/(midias|imagens)\//.test(path)) throw new Error(`${path} answered Cache-Control ${rule}`)
}

/** Logs in at a running server. */
export async function loginAt(url: string, email: string, senha: string): Promise<TestUser> {
  const { status, text, body } = await sendRequest(url, 'POST', '/auth/login', {
    body: { email, senha, lembrar: true },
  })
  if (status !== 200) throw new Error(`login of ${email} failed: ${status} ${text}`)
  const { token, usuario } = loginRoute.response.parse(body)
  return {
    token,
    usuario,
    contaId: usuario.contaId,
    request: async (method, path, content) => {
      const answer = await sendRequest(url, method, path, { token, body: content })
      return { status: answer.status, body: answer.body }
    },
  }
}

/** Options of a server with a fixed clock, a public address and a token for the monitor. */
export const FIXED_DAY = {
  now: '2026-03-10T15:00:00.000Z',
  settings: { urlPublica: 'https://balcao.exemplo', metricsToken: 'token-do-monitor' },
} as const satisfies TestAppOptions

export async function createTestApp({
  database,
  now,
  settings,
  background = true,
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const usedDatabase = database ?? (await createTestDatabase())
  const dataDir = await mkdtemp('/tmp/balcao-test-')
  const clock = createTestClock(now)
  const server = await composeServer({
    db: usedDatabase.db,
    // Another object, so that a spy on `db` counts no check of readiness.
    reservedDb: { ...usedDatabase.db },
    clock,
    ids: createIds(clock),
    log: pino({ level: 'silent' }),
    vault: createVault('segredo de teste'),
    passwords: CHEAP_PASSWORDS,
    mailer: { configured: false, send: () => Promise.resolve() },
    settings: {
      urlPublica: 'http://localhost:3000',
      conectorPadrao: 'simulador',
      dataDir,
      metricsToken: null,
      ...settings,
    },
    trustProxy: false,
    timings: { retryWaitsMs: [20, 40, 60, 80] },
    ...options,
  })
  await ensureFirstAdmin(server.deps, ADMIN_LOGIN)
  const url = await server.http.listen({ host: '127.0.0.1', port: 0 })
  const closeServer = async (): Promise<void> => {
    for (const { name, close } of server.parts) if (name !== 'database') await close()
  }
  if (background) {
    await server.start().catch(async (error: unknown) => {
      await closeServer()
      throw error
    })
  }
  const admin = await loginAt(url, ADMIN_LOGIN.email, ADMIN_LOGIN.senha)
  const arquivosDir = options.arquivosDir ?? join(settings?.dataDir ?? dataDir, 'arquivos')
  const responseTexts: string[] = []
  const sockets = createSockets(url)
  return {
    url,
    server,
    deps: server.deps,
    database: usedDatabase,
    admin,
    request: admin.request,
    send: async (method, path, request) => {
      const answer = await sendRequest(url, method, path, request)
      responseTexts.push(answer.text)
      return answer
    },
    responseTexts,
    login: (email, senha = PASSWORD) => loginAt(url, email, senha),
    connect: sockets.connect,
    openSocket: sockets.open,
    sql: async (text, values) => (await usedDatabase.owner.query<Record<string, unknown>>(text, values)).rows,
    setNow: clock.set,
    advance: clock.advance,
    jump: clock.jump,
    arquivosDir,
    filesOnDisk: (contaId) => readdir(join(arquivosDir, contaId)).catch(() => []),
    idle: server.idle,
    close: async () => {
      sockets.close()
      await closeServer()
      if (database === undefined) await usedDatabase.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

interface TestClock {
  readonly now: () => Date
  readonly elapsed: () => number
  readonly set: (instant: string | Date) => void
  readonly advance: (ms: number) => void
  readonly jump: (ms: number) => void
}

function createTestClock(start: string | undefined): TestClock {
  let fixed = start === undefined ? null : new Date(start).getTime()
  let ahead = 0
  let jumped = 0
  const elapsed = (): number => (fixed ?? Date.now()) + ahead
  return {
    now: () => new Date(elapsed() + jumped),
    elapsed,
    set: (instant) => {
      fixed = new Date(instant).getTime()
      ahead = 0
      jumped = 0
    },
    advance: (ms) => void (ahead += ms),
    jump: (ms) => void (jumped += ms),
  }
}

/** Records what the use cases order from bots and sockets, in order. */
export function recordOrders({ deps }: Pick<TestApp, 'deps'>): string[] {
  const orders: string[] = []
  vi.spyOn(deps.bots, 'stop').mockImplementation((line) => {
    orders.push(`parar ${line.linhaId}`)
    return deps.bots.status(line)
  })
  vi.spyOn(deps.bots, 'contextChanged').mockImplementation((contaId) => void orders.push(`contextoMudou ${contaId}`))
  vi.spyOn(deps.realtime, 'disconnect').mockImplementation((who) => {
    orders.push(`disconnect ${JSON.stringify(who)}`)
    return Promise.resolve()
  })
  return orders
}
