import { mkdtemp, rm } from 'node:fs/promises'
import { pino } from 'pino'
import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import { composeServer, type ServerOptions } from '#composition.ts'
import { createIds } from '#ids.ts'
import { ensureFirstAdmin } from '#modules/auth/index.ts'
import { createVault } from '#security/vault.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

export interface TestResponse {
  readonly status: number
  readonly body: Record<string, unknown>
}

export type TestRequest = (metodo: string, path: string, body?: unknown) => Promise<TestResponse>

export interface TestServer {
  readonly url: string
  readonly deps: Deps
  readonly request: TestRequest
  readonly idle: () => Promise<void>
  readonly sql: (texto: string) => Promise<Record<string, unknown>[]>
  readonly close: () => Promise<void>
}

const requestBody = z.record(z.string(), z.unknown())
const login = z.object({ token: z.string() })
export const ADMIN_LOGIN = { email: 'dona@loja.test', senha: 'senha-da-dona' }

export async function loginClient(url: string): Promise<TestRequest> {
  return (await loginWithToken(url, ADMIN_LOGIN)).pedir
}

export async function loginWithToken(
  url: string,
  credentials: { readonly email: string; readonly senha: string },
): Promise<{ readonly token: string; readonly pedir: TestRequest }> {
  const ask = async (metodo: string, path: string, body?: unknown, token?: string): Promise<TestResponse> => {
    const reply = await fetch(`${url}/api${path}`, {
      method: metodo,
      headers: {
        // Without this, the server may close a kept-alive connection just as a late request uses it.
        connection: 'close',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const texto = await reply.text()
    return { status: reply.status, body: texto === '' ? {} : requestBody.parse(JSON.parse(texto)) }
  }
  const { token } = login.parse((await ask('POST', '/auth/login', credentials)).body)
  return { token, pedir: (metodo, path, body) => ask(metodo, path, body, token) }
}

export interface TestServerOptions extends Partial<ServerOptions> {
  readonly testDatabase?: TestDatabase
}

export async function createTestServer({ testDatabase, ...mais }: TestServerOptions = {}): Promise<TestServer> {
  const database = testDatabase ?? (await createTestDatabase())
  const dataDir = await mkdtemp('/tmp/balcao-casa-')
  const clock = { now: () => new Date() }
  const house = await composeServer({
    db: database.db,
    clock,
    ids: createIds(clock),
    log: pino({ level: 'silent' }),
    vault: createVault('segredo de teste'),
    mailer: { configured: false, send: () => Promise.resolve() },
    settings: { urlPublica: 'http://localhost:3000', conectorPadrao: 'simulador', dataDir, metricsToken: null },
    trustProxy: false,
    timings: { retryWaitsMs: [20, 40, 60, 80] },
    ...mais,
  })
  await ensureFirstAdmin(house.deps, ADMIN_LOGIN)
  const url = await house.http.listen({ host: '127.0.0.1', port: 0 })
  await house.start()
  return {
    url,
    deps: house.deps,
    request: await loginClient(url),
    idle: house.idle,
    sql: async (texto) => (await database.owner.query<Record<string, unknown>>(texto)).rows,
    close: async () => {
      for (const { name, close } of house.parts) if (name !== 'database') await close()
      if (testDatabase === undefined) await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
