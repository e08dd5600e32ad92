import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPONENTES } from '@balcao/contract/constants'
import type { RouteShape } from '@balcao/contract/define-route'
import { errorBodySchema } from '@balcao/contract/errors'
import { apiRouteList, apiRoutes } from '@balcao/contract/routes/all'
import { mountRoutes } from '#app.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { createHttp } from '#http/server.ts'
import { insertLoginSession } from '#modules/auth/login-sessions.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { givenPerson } from '#test/builders.ts'

const DONA = { nome: 'Ana', email: 'ana@balcao.test', senha: 'pao-quente' }

let app: TestApp
let admin = ''
let dona = ''
let donaId = ''

async function ask(
  row: Pick<RouteShape, 'method' | 'path'>,
  token: string,
  payload?: string,
  remoteAddress = '127.0.0.1',
) {
  const url = `/api${row.path.replace(/:\w+/g, randomUUID())}`
  const headers = {
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const body = payload === undefined ? {} : { payload }
  return app.server.http.inject({ method: row.method, url, headers, remoteAddress, ...body })
}

async function login(email: string, senha: string): Promise<string> {
  const reply = await ask(apiRoutes.login, '', JSON.stringify({ email, senha }))
  return apiRoutes.login.response.parse(reply.json()).token
}

const tokens: string[] = []

/** A token for 30 rows: all rows together exceed the 200 requests that one token may send in 2 s. */
async function adminToken(): Promise<string> {
  const { contaId, usuario } = app.admin
  const token = tokens.pop()
  if (token !== undefined) return token
  const login = { usuarioId: usuario.id, lembrar: true, ip: '127.0.0.1', agente: '' }
  const fresh = await app.deps.db.transaction(contaId, (tx) => insertLoginSession(tx, app.deps, login))
  tokens.push(...Array.from({ length: 29 }, () => fresh.token))
  return fresh.token
}

beforeAll(async () => {
  app = await createTestApp({ background: false })
  admin = app.admin.token
  const created = await ask(apiRoutes.criarUsuario, admin, JSON.stringify({ ...DONA, telefone: '', empresa: '' }))
  donaId = apiRoutes.criarUsuario.response.parse(created.json()).usuario.id
  dona = await login(DONA.email, DONA.senha)
})
afterAll(() => app?.close())

const rows: [string, RouteShape][] = Object.entries(apiRoutes)
const guarded = rows.filter(([, row]) => row.permission !== 'publico')

type Reply = Awaited<ReturnType<typeof ask>>

function expectError(reply: Reply, status: number): void {
  expect(reply.statusCode).toBe(status)
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(errorBodySchema.safeParse(reply.json()).success).toBe(true)
}

/** One address for each row: all rows together exceed the requests that one address may send without a session. */
const addressOf = (nome: string): string => {
  const at = rows.findIndex(([name]) => name === nome)
  return `10.0.${at >> 8}.${at & 255}`
}

describe('every route', () => {
  it.each(guarded)('%s: answers 401 without a token, before validation', async (nome, row) => {
    expectError(await ask(row, '', '{"', addressOf(nome)), 401)
    expectError(await ask(row, 'nao-e-um-token-de-verdade-nenhum', undefined, addressOf(nome)), 401)
  })

  it.each(rows.filter(([, row]) => row.permission === 'admin'))(
    '%s: answers 403 to non-administrators',
    async (_nome, row) => {
      expectError(await ask(row, dona, '{}'), 403)
    },
  )

  it('answers 403 from the next request after a componente is removed', async () => {
    const nenhum = Object.fromEntries(COMPONENTES.map((componente) => [componente, false]))
    const remove = { method: 'POST', path: `/admin/usuarios/${donaId}/permissoes` } as const
    const change = (componentesPermitidos: object) => ask(remove, admin, JSON.stringify({ componentesPermitidos }))
    expect((await change(nenhum)).statusCode).toBe(200)
    for (const [name, row] of guarded) {
      const permissao = row.permission
      const deComponente = Array.isArray(permissao) || COMPONENTES.some((componente) => componente === permissao)
      if (deComponente) expect([name, (await ask(row, dona, '{}')).statusCode]).toEqual([name, 403])
    }
    expect((await change(Object.fromEntries(COMPONENTES.map((componente) => [componente, true])))).statusCode).toBe(200)
  })

  it.each(rows.filter(([, row]) => row.body !== undefined))(
    '%s: rejects a body of the wrong shape and creates no usuario',
    async (nome, row) => {
      const token = await adminToken()
      // All public rows exceed the requests that one network address may send, so each has another one.
      const address = `10.0.0.${Object.keys(apiRoutes).indexOf(nome) % 250}`
      for (const corpo of [
        '{"',
        '[]',
        '"texto"',
        '{"__proto__":{"tipo":"admin"}}',
        `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`,
      ]) {
        const { statusCode } = await ask(row, row.permission === 'publico' ? '' : token, corpo, address)
        expect(statusCode).toBeGreaterThanOrEqual(400)
        expect([400, 404]).toContain(statusCode)
      }
      const { rows: usuarios } = await app.database.owner.query('select count(*)::int as n from usuarios')
      expect(usuarios).toEqual([{ n: 2 }])
    },
  )
})

describe('Cache-Control', () => {
  it('forbids storing any answer to a valid token', async () => {
    const statuses = new Set<number>()
    for (const [name, row] of rows) {
      // A separate login per row, because some rows end it.
      const { token } = await givenPerson(app, { tipo: 'admin' })
      const reply = await ask(row, token, row.body === undefined ? undefined : '{}')
      statuses.add(reply.statusCode)
      expect([name, reply.statusCode, reply.headers['cache-control']]).toEqual([name, reply.statusCode, 'no-store'])
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 400, 404]))
  })

  it('forbids storing the refusal of the rate limit', async () => {
    for (const [name, row] of rows) {
      let reply = await ask(row, `inventado-${randomUUID()}`)
      while (reply.statusCode !== 429) reply = await ask(row, `inventado-${randomUUID()}`)
      expect([name, reply.headers['cache-control']]).toEqual([name, 'no-store'])
    }
  })
})

describe('mountRoutes', () => {
  const bound = apiRouteList.map((row): BoundRoute => ({ row, run: () => Promise.resolve() }))
  const mountAll = async (routes: readonly BoundRoute[]): Promise<void> => {
    const http = await createHttp({ log: pino({ level: 'silent' }), trustProxy: false })
    const fileLinks = { signJson: (_: string, json: string) => json }
    mountRoutes(http, { authenticate: () => Promise.resolve(null), clock: app.deps.clock, fileLinks }, routes)
  }

  it('throws for a route outside the list', async () => {
    const unlisted = { method: 'POST', path: '/escondida', permission: 'logado', fallbackError: 'Erro' } as const
    await expect(mountAll([...bound, bind(unlisted, () => Promise.resolve())])).rejects.toThrow(
      'routes outside the contract: POST /escondida',
    )
  })

  it('throws for a listed route without a handler', async () => {
    const { path, method } = apiRoutes.digitandoSimulado
    await expect(mountAll(bound.filter(({ row }) => row.path !== path))).rejects.toThrow(
      `routes without a handler: ${method} ${path}`,
    )
    await expect(mountAll(bound)).resolves.toBeUndefined()
  })
})

describe('other API paths', () => {
  it('answers unknown paths with JSON and lists the known ones in /api/docs', async () => {
    expectError(await ask({ method: 'GET', path: '/nao-existe' }, admin), 404)
    const docs = await app.server.http.inject('/api/docs')
    expect(docs.json()).toMatchObject({ openapi: '3.1.0', paths: { '/simulador/digitando': { post: {} } } })
    expect(Object.keys(docs.json().paths)).toHaveLength(new Set(rows.map(([, row]) => row.path)).size)
  })

  it('answers unknown ids and other contas’ ids with the same bytes', async () => {
    const [uma, other] = await Promise.all([
      ask(apiRoutes.adminUsuarioEstatisticas, admin),
      ask(apiRoutes.adminUsuarioEstatisticas, admin),
    ])
    expectError(uma, 404)
    expect(uma.body).toBe(other.body)
  })
})
