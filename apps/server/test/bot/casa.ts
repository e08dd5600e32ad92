import { mkdtemp, rm } from 'node:fs/promises'
import { pino } from 'pino'
import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import { createHouse, type HouseOptions } from '#house.ts'
import { createIds } from '#ids.ts'
import { ensureFirstAdmin } from '#modules/auth/index.ts'
import { createCofre } from '#security/cofre.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

export interface Resposta {
  readonly status: number
  readonly body: Record<string, unknown>
}

export type Pedir = (metodo: string, caminho: string, body?: unknown) => Promise<Resposta>

export interface Casa {
  readonly url: string
  readonly deps: Deps
  readonly pedir: Pedir
  readonly ocioso: () => Promise<void>
  readonly sql: (texto: string) => Promise<Record<string, unknown>[]>
  readonly close: () => Promise<void>
}

const corpo = z.record(z.string(), z.unknown())
const login = z.object({ token: z.string() })
export const ACESSO = { email: 'dona@loja.test', senha: 'senha-da-dona' }

export async function entrar(url: string): Promise<Pedir> {
  return (await autenticar(url, ACESSO)).pedir
}

export async function autenticar(
  url: string,
  acesso: { readonly email: string; readonly senha: string },
): Promise<{ readonly token: string; readonly pedir: Pedir }> {
  const pedir = async (metodo: string, caminho: string, body?: unknown, token?: string): Promise<Resposta> => {
    const resposta = await fetch(`${url}/api${caminho}`, {
      method: metodo,
      headers: {
        // Without this, the server may close a kept-alive connection just as a late request uses it.
        connection: 'close',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const texto = await resposta.text()
    return { status: resposta.status, body: texto === '' ? {} : corpo.parse(JSON.parse(texto)) }
  }
  const { token } = login.parse((await pedir('POST', '/auth/login', acesso)).body)
  return { token, pedir: (metodo, caminho, body) => pedir(metodo, caminho, body, token) }
}

export interface CasaOptions extends Partial<HouseOptions> {
  readonly banco?: TestDatabase
}

export async function createCasa({ banco, ...mais }: CasaOptions = {}): Promise<Casa> {
  const database = banco ?? (await createTestDatabase())
  const dataDir = await mkdtemp('/tmp/balcao-casa-')
  const clock = { now: () => new Date() }
  const house = await createHouse({
    db: database.db,
    clock,
    ids: createIds(clock),
    log: pino({ level: 'silent' }),
    cofre: createCofre('segredo de teste'),
    mailer: { configurado: false, send: () => Promise.resolve() },
    settings: { urlPublica: 'http://localhost:3000', conectorPadrao: 'simulador', dataDir, metricsToken: null },
    trustProxy: false,
    tempos: { esperasMs: [20, 40, 60, 80] },
    ...mais,
  })
  await ensureFirstAdmin(house.deps, ACESSO)
  const url = await house.http.listen({ host: '127.0.0.1', port: 0 })
  await house.start()
  return {
    url,
    deps: house.deps,
    pedir: await entrar(url),
    ocioso: house.ocioso,
    sql: async (texto) => (await database.owner.query<Record<string, unknown>>(texto)).rows,
    close: async () => {
      for (const { nome, close } of house.partes) if (nome !== 'database') await close()
      if (banco === undefined) await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
