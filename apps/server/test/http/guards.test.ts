import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pino } from 'pino'
import { io } from 'socket.io-client'
import * as z from 'zod/mini'
import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import { createHttp } from '#http/server.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { connected } from '#test/realtime/listen.ts'
import { givenConta, givenPerson } from '#test/builders.ts'
import { ADMIN_LOGIN, type TestApp, createTestApp, loginAt } from '#test/app.ts'

let database: TestDatabase
let app: TestApp
beforeAll(async () => {
  database = await createTestDatabase({ comPrazos: true })
  app = await createTestApp({ database: database })
})
afterAll(async () => {
  await app?.close()
  await database?.drop()
})

describe('every HTTP answer', () => {
  it.each(['/api/health', '/api/nao-existe', '/api/config', '/api/%', `/api/midias/${'x'.repeat(300)}`])(
    'sends security headers for %s',
    async (url) => {
      const reply = await fetch(`${app.url}${url}`)
      const { headers } = reply
      const csp = headers.get('content-security-policy') ?? ''
      for (const part of [
        "default-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "connect-src 'self'",
        "require-trusted-types-for 'script'",
      ]) {
        expect(csp).toContain(part)
      }
      expect(/script-src ([^;]*)/.exec(csp)?.[1]).not.toMatch(/unsafe|https?:|\*/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-powered-by')).toBeNull()
      // Fastify's own error texts must not appear.
      expect(await reply.text()).not.toMatch(/FST_|Bad Request|Invalid/)
    },
  )
})

describe('Strict-Transport-Security', () => {
  it('sends the header for a year with an https address, never with http', async () => {
    const secure = await createTestApp({
      database,
      background: false,
      settings: { urlPublica: 'https://painel.test' },
    })
    const headerOf = async (url: string): Promise<string | null> =>
      (await fetch(`${url}/api/health`)).headers.get('strict-transport-security')
    expect([await headerOf(secure.url), await headerOf(app.url)]).toEqual(['max-age=31536000', null])
    await secure.close()
  })
})

describe('unknown URLs', () => {
  it('redirects pages to / and answers 404 to programs and assets', async () => {
    const page = await fetch(`${app.url}/painel/antigo?de=favoritos`, { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([302, '/'])
    for (const [method, path] of [
      ['GET', '/api/nao-existe'],
      ['POST', '/painel/antigo'],
      ['GET', '/assets/antigo-1a2b.js'],
    ] as const) {
      const reply = await fetch(`${app.url}${path}`, { method, redirect: 'manual' })
      expect([reply.status, await reply.json()]).toEqual([
        404,
        { erro: 'Este endereço não existe.', codigo: 'rotaDesconhecida' },
      ])
    }
  })
})

describe('pages without a built panel', () => {
  it.each(['/', '/login', '/ajuda/atendimento', '/painel/antigo'])(
    'answers 503 with a sentence for %s',
    async (path) => {
      const reply = await fetch(`${app.url}${path}`)
      expect([reply.status, reply.headers.get('content-type')]).toEqual([503, 'text/plain; charset=utf-8'])
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(await reply.text()).toBe('O painel ainda não foi preparado. Inicie o Balcão com npm start.')
    },
  )
})

describe('request validation', () => {
  it('answers in Portuguese even if a library changed the validator’s language', async () => {
    z.config(z.locales.en())
    const { status, body } = await app.request('GET', '/mensagens?limite=nenhum')
    expect([status, body['erro']]).toEqual([400, 'Dados inválidos'])
    expect(JSON.stringify(body)).not.toMatch(/Invalid\b/)
    const form = new FormData()
    for (const [field, value] of Object.entries({ nome: 'Bolo', descricao: 'De milho', preco: '9', ativo: 'talvez' }))
      form.set(field, value)
    expect(await app.request('POST', '/produtos', form)).toMatchObject({
      status: 400,
      body: { erro: 'Dados inválidos' },
    })
  })

  it('accepts an empty body with a JSON content type', async () => {
    const { token } = await loginAt(app.url, ADMIN_LOGIN.email, ADMIN_LOGIN.senha)
    const empty = (method: string, path: string): Promise<Response> =>
      fetch(`${app.url}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
    expect((await empty('POST', '/bot/parar')).status).toBe(200)
    expect((await empty('DELETE', '/conversas')).status).toBe(200)
    const semNada = await empty('POST', '/auth/login')
    expect([semNada.status, await semNada.json()]).toMatchObject([400, { erro: 'Email é obrigatório' }])
  })
})

const SIMULATED = '/api/simulador/mensagens'

const countOf = (answers: string, status: number): number => answers.split(`HTTP/1.1 ${status}`).length - 1

/** Sends all requests on one connection before reading, so that they fall into one window of the rate limit. */
async function deUmaVez(token: string, times: number, path = '/api/health', { url: aonde } = app): Promise<string> {
  const url = new URL(aonde)
  const line = connect(Number(url.port), url.hostname)
  const isPost = path === SIMULATED
  const pedido = (i: number): string =>
    `${isPost ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nhost: x\r\n` +
    (isPost ? 'content-type: application/json\r\ncontent-length: 2\r\n' : '') +
    `authorization: Bearer ${token.replace('#', String(i)).padEnd(24, 'x')}\r\n\r\n${isPost ? '{}' : ''}`
  let everything = ''
  await new Promise<void>((resolve) => {
    line.on('data', (bytes) => {
      everything += String(bytes)
      if (everything.split('HTTP/1.1 ').length > times) resolve()
    })
    line.write(Array.from({ length: times }, (_, i) => pedido(i)).join(''))
  })
  line.destroy()
  return everything
}

describe('cutSlowBodies', () => {
  it('cuts a slow JSON body and accepts a slow upload', async () => {
    const http = await createHttp({ log: pino({ level: 'silent' }), trustProxy: false, bodyMs: 50 })
    expect(http.server.requestTimeout).toBeGreaterThan(TIMEOUT_ENVIO_MS)
    http.post('/api/eco', async (request) => {
      if (!request.isMultipart()) return 'palavras'
      const parsed: string[] = []
      for await (const part of request.parts()) parsed.push(part.fieldname)
      return parsed.join()
    })
    const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
    const open = (tipo: string, bytes: number): Socket => {
      const line = connect(Number(port), '127.0.0.1')
      line.write(`POST /api/eco HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${tipo}\r\n`)
      line.write(`content-length: ${bytes}\r\n\r\n`)
      return line
    }
    const corpo = '--x\r\ncontent-disposition: form-data; name="nome"\r\n\r\nbolo\r\n--x--\r\n'
    const arquivo = open('multipart/form-data; boundary=x', corpo.length)
    arquivo.write(corpo.slice(0, 10))
    const words = open('application/json', 100)
    words.write('{"texto":')
    expect(await text(words)).toBe('')
    arquivo.write(corpo.slice(10))
    expect(await text(arquivo)).toMatch(/^HTTP\/1\.1 200 .*nome$/s)
    await http.close()
  })
})

describe('rate limit', () => {
  it('answers 429 with retry-after and does not affect another caller', async () => {
    const respostas = (await deUmaVez('afobado', 300)).split('HTTP/1.1 ')
    const refused = respostas.find((reply) => reply.startsWith('429'))
    expect(refused).toMatch(/retry-after: [1-9]/i)
    expect(refused).toContain('muitasTentativas')
    const { token } = await loginAt(app.url, ADMIN_LOGIN.email, ADMIN_LOGIN.senha)
    expect(await deUmaVez(token, 1)).toContain('HTTP/1.1 200')
  })

  it('counts unknown tokens together and does not block a known token', async () => {
    const { token } = await loginAt(app.url, ADMIN_LOGIN.email, ADMIN_LOGIN.senha)
    expect(await deUmaVez(token, 1, '/api/auth/eu')).toContain('HTTP/1.1 200')
    const everything = await deUmaVez('inventado-#-', 450, '/api/auth/eu')
    const [recusadas, desconhecidas] = [countOf(everything, 429), countOf(everything, 401)]
    expect(recusadas + desconhecidas).toBe(450)
    expect(recusadas).toBeGreaterThan(0)
    expect(await deUmaVez(token, 1, '/api/auth/eu')).toContain('HTTP/1.1 200')
  })

  it('reads at most 200 random tokens of simulated messages, and counts known tokens per conta', async () => {
    const { token } = await loginAt(app.url, ADMIN_LOGIN.email, ADMIN_LOGIN.senha)
    expect(await deUmaVez(token, 1, '/api/auth/eu')).toContain('HTTP/1.1 200')
    const reads = vi.spyOn(app.deps.db, 'transaction')
    const since = performance.now()
    const flood = await deUmaVez('cliente-#-', 1_000, SIMULATED)
    const windows = 1 + Math.ceil((performance.now() - since) / 2_000)
    // Reads of logins have no conta. Background work adds a few.
    const transactions = reads.mock.calls.filter(([contas]) => contas.length === 0).length
    reads.mockRestore()
    const asked = countOf(flood, 401)
    expect(asked).toBeLessThanOrEqual(200 * windows)
    expect(countOf(flood, 429)).toBe(1_000 - asked)
    expect(transactions).toBeGreaterThanOrEqual(asked)
    expect(transactions).toBeLessThan(asked + 100)
    expect(countOf(await deUmaVez(token, 450, SIMULATED), 400)).toBe(450)
  })

  it('limits the tokens of one conta together and no other conta', async () => {
    const [loud, shop] = [await givenConta(app), await givenConta(app)]
    const tokens = [loud.token]
    while (tokens.length < 24) tokens.push((await givenPerson(app, { contaId: loud.contaId })).token)
    const since = performance.now()
    for (const token of tokens) app.server.http.knownTokens.add(token)
    const floods = await Promise.all(tokens.map((token) => deUmaVez(token, 190, '/api/auth/eu')))
    const accepted = floods.reduce((sum, flood) => sum + countOf(flood, 200), 0)
    expect(accepted).toBeLessThanOrEqual(1_500 + (300 * (performance.now() - since)) / 1_000)
    expect(floods.join('')).toContain('HTTP/1.1 429')
    expect(await deUmaVez(shop.token, 1, '/api/auth/eu')).toContain('HTTP/1.1 200')
    const sent = await deUmaVez(loud.token, 1, SIMULATED)
    expect(sent).toContain('HTTP/1.1 400')
  })

  it('accepts 102 windows of one office that refetch together after a restart', async () => {
    const office = await givenConta(app)
    const windows = [office.token]
    while (windows.length < 51) windows.push((await givenPerson(app, { contaId: office.contaId })).token)
    // As their sockets do, which connect first.
    for (const token of windows) app.server.http.knownTokens.add(token)
    const answers = await Promise.all([...windows, ...windows].map((token) => deUmaVez(token, 10, '/api/auth/eu')))
    expect(countOf(answers.join(''), 200)).toBe(1_020)
  })

  it('accepts a token known from its socket during a flood after a restart', async () => {
    const { token } = await loginAt(app.url, ADMIN_LOGIN.email, ADMIN_LOGIN.senha)
    const fresh = await createTestApp({ database: database })
    const socket = io(fresh.url, { auth: { token }, transports: ['websocket'] })
    try {
      await connected(socket)
      expect(await deUmaVez('inventado-#-', 450, '/api/auth/eu', fresh)).toContain('HTTP/1.1 429')
      expect(await deUmaVez(token, 1, '/api/auth/eu', fresh)).toContain('HTTP/1.1 200')
    } finally {
      socket.disconnect()
      await fresh.close()
    }
  })

  it('counts failed logins by the real IP address, not X-Forwarded-For', async () => {
    const attempt = (i: number) =>
      fetch(`${app.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${i}` },
        body: JSON.stringify({ email: 'alguem@loja.test', senha: 'errada' }),
      })
    const status: number[] = []
    for (let i = 0; i < 11; i++) status.push((await attempt(i)).status)
    expect(status).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })
})

describe('client address', () => {
  const client = '203.0.113.9'
  it.each([
    [false, '192.0.2.66', '10.0.0.7'],
    [true, `192.0.2.66, ${client}`, client],
    [2, `192.0.2.66, ${client}, 10.0.0.8`, client],
    [2, client, client],
    [['10.0.0.0/8'], `192.0.2.66, ${client}, 10.0.0.8`, client],
    [['10.0.0.7', '2001:db8::/32'], `192.0.2.66, unknown, 2001:db8::9`, 'unknown'],
    [['192.168.0.0/16'], `192.0.2.66`, '10.0.0.7'],
  ] as const)('reads it behind trusted proxies %j from "%s"', async (trustProxy, forwarded, expected) => {
    const http = await createHttp({ log: pino({ level: 'silent' }), trustProxy })
    http.get('/api/ip', (request) => Promise.resolve(request.ip))
    const headers = { 'x-forwarded-for': forwarded }
    const { body } = await http.inject({ url: '/api/ip', remoteAddress: '10.0.0.7', headers })
    expect(body).toBe(expected)
    await http.close()
  })
})

describe('timeouts', () => {
  it('limits idle connections, statements and locks', async () => {
    const reply = await deUmaVez('parado', 1)
    expect(reply).toMatch(/keep-alive: timeout=5/i)
    const [limits] = await app.deps.db
      .transaction('*', (tx) =>
        tx.query(`select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l`, []),
      )
      .then(({ rows }) => rows)
    expect(limits).toEqual({ s: '5s', l: '3s' })
  })
})
