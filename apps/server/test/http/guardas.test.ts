import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pino } from 'pino'
import { io } from 'socket.io-client'
import * as z from 'zod/mini'
import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import { createHttp } from '#http/server.ts'
import { ADMIN_LOGIN, loginWithToken, type TestServer, createTestServer } from '#test/bot/casa.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { connected } from '#test/realtime/listen.ts'

let banco: TestDatabase
let casa: TestServer
beforeAll(async () => {
  banco = await createTestDatabase({ comPrazos: true })
  casa = await createTestServer({ testDatabase: banco })
})
afterAll(async () => {
  await casa?.close()
  await banco?.drop()
})

describe('every HTTP answer', () => {
  it.each(['/api/health', '/api/nao-existe', '/api/config', '/api/%', `/api/midias/${'x'.repeat(300)}`])(
    'sends security headers for %s',
    async (url) => {
      const resposta = await fetch(`${casa.url}${url}`)
      const { headers } = resposta
      const csp = headers.get('content-security-policy') ?? ''
      for (const parte of [
        "default-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "connect-src 'self'",
        "require-trusted-types-for 'script'",
      ]) {
        expect(csp).toContain(parte)
      }
      expect(/script-src ([^;]*)/.exec(csp)?.[1]).not.toMatch(/unsafe|https?:|\*/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-powered-by')).toBeNull()
      // Fastify's own error texts must not appear.
      expect(await resposta.text()).not.toMatch(/FST_|Bad Request|Invalid/)
    },
  )
})

describe('unknown URLs', () => {
  it('redirects pages to / and answers 404 to programs and assets', async () => {
    const pagina = await fetch(`${casa.url}/painel/antigo?de=favoritos`, { redirect: 'manual' })
    expect([pagina.status, pagina.headers.get('location')]).toEqual([302, '/'])
    for (const [method, caminho] of [
      ['GET', '/api/nao-existe'],
      ['POST', '/painel/antigo'],
      ['GET', '/assets/antigo-1a2b.js'],
    ] as const) {
      const resposta = await fetch(`${casa.url}${caminho}`, { method, redirect: 'manual' })
      expect([resposta.status, await resposta.json()]).toEqual([
        404,
        { erro: 'Este endereço não existe.', codigo: 'rotaDesconhecida' },
      ])
    }
  })
})

describe('request validation', () => {
  it('answers in Portuguese even if a library changed the validator’s language', async () => {
    z.config(z.locales.en())
    const { status, body } = await casa.request('GET', '/mensagens?limite=nenhum')
    expect([status, body['erro']]).toEqual([400, 'Dados inválidos'])
    expect(JSON.stringify(body)).not.toMatch(/Invalid\b/)
    const form = new FormData()
    for (const [campo, valor] of Object.entries({ nome: 'Bolo', descricao: 'De milho', preco: '9', ativo: 'talvez' }))
      form.set(campo, valor)
    expect(await casa.request('POST', '/produtos', form)).toMatchObject({
      status: 400,
      body: { erro: 'Dados inválidos' },
    })
  })

  it('accepts an empty body with a JSON content type', async () => {
    const { token } = await loginWithToken(casa.url, ADMIN_LOGIN)
    const vazio = (method: string, caminho: string): Promise<Response> =>
      fetch(`${casa.url}/api${caminho}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
    expect((await vazio('POST', '/bot/parar')).status).toBe(200)
    expect((await vazio('DELETE', '/conversas')).status).toBe(200)
    const semNada = await vazio('POST', '/auth/login')
    expect([semNada.status, await semNada.json()]).toMatchObject([400, { erro: 'Email é obrigatório' }])
  })
})

/** Sends all requests on one connection before reading, so that they fall into one window of the rate limit. */
async function deUmaVez(token: string, vezes: number, caminho = '/api/health', { url: aonde } = casa): Promise<string> {
  const url = new URL(aonde)
  const linha = connect(Number(url.port), url.hostname)
  const pedido = (i: number): string =>
    `GET ${caminho} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token.replace('#', String(i)).padEnd(24, 'x')}\r\n\r\n`
  let tudo = ''
  await new Promise<void>((resolve) => {
    linha.on('data', (bytes) => {
      tudo += String(bytes)
      if (tudo.split('HTTP/1.1 ').length > vezes) resolve()
    })
    linha.write(Array.from({ length: vezes }, (_, i) => pedido(i)).join(''))
  })
  linha.destroy()
  return tudo
}

describe('cutSlowBodies', () => {
  it('cuts a slow JSON body and accepts a slow upload', async () => {
    const http = await createHttp({ log: pino({ level: 'silent' }), trustProxy: false, bodyMs: 50 })
    expect(http.server.requestTimeout).toBeGreaterThan(TIMEOUT_ENVIO_MS)
    http.post('/api/eco', async (request) => {
      if (!request.isMultipart()) return 'palavras'
      const lidas: string[] = []
      for await (const parte of request.parts()) lidas.push(parte.fieldname)
      return lidas.join()
    })
    const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
    const abrir = (tipo: string, bytes: number): Socket => {
      const linha = connect(Number(port), '127.0.0.1')
      linha.write(`POST /api/eco HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${tipo}\r\n`)
      linha.write(`content-length: ${bytes}\r\n\r\n`)
      return linha
    }
    const corpo = '--x\r\ncontent-disposition: form-data; name="nome"\r\n\r\nbolo\r\n--x--\r\n'
    const arquivo = abrir('multipart/form-data; boundary=x', corpo.length)
    arquivo.write(corpo.slice(0, 10))
    const palavras = abrir('application/json', 100)
    palavras.write('{"texto":')
    expect(await text(palavras)).toBe('')
    arquivo.write(corpo.slice(10))
    expect(await text(arquivo)).toMatch(/^HTTP\/1\.1 200 .*nome$/s)
    await http.close()
  })
})

describe('rate limit', () => {
  it('answers 429 with retry-after and does not affect another caller', async () => {
    const respostas = (await deUmaVez('afobado', 300)).split('HTTP/1.1 ')
    const recusada = respostas.find((resposta) => resposta.startsWith('429'))
    expect(recusada).toMatch(/retry-after: [1-9]/i)
    expect(recusada).toContain('muitasTentativas')
    const { token } = await loginWithToken(casa.url, ADMIN_LOGIN)
    expect(await deUmaVez(token, 1)).toContain('HTTP/1.1 200')
  })

  it('counts unknown tokens together and does not block a known token', async () => {
    const { token } = await loginWithToken(casa.url, ADMIN_LOGIN)
    expect(await deUmaVez(token, 1, '/api/auth/eu')).toContain('HTTP/1.1 200')
    const tudo = await deUmaVez('inventado-#-', 450, '/api/auth/eu')
    const [recusadas, desconhecidas] = [tudo.split('HTTP/1.1 429').length - 1, tudo.split('HTTP/1.1 401').length - 1]
    expect(recusadas + desconhecidas).toBe(450)
    expect(recusadas).toBeGreaterThan(0)
    expect(await deUmaVez(token, 1, '/api/auth/eu')).toContain('HTTP/1.1 200')
  })

  it('accepts a token known from its socket during a flood after a restart', async () => {
    const { token } = await loginWithToken(casa.url, ADMIN_LOGIN)
    const nova = await createTestServer({ testDatabase: banco })
    const socket = io(nova.url, { auth: { token }, transports: ['websocket'] })
    try {
      await connected(socket)
      expect(await deUmaVez('inventado-#-', 450, '/api/auth/eu', nova)).toContain('HTTP/1.1 429')
      expect(await deUmaVez(token, 1, '/api/auth/eu', nova)).toContain('HTTP/1.1 200')
    } finally {
      socket.disconnect()
      await nova.close()
    }
  })

  it('counts failed logins by the real IP address, not X-Forwarded-For', async () => {
    const tentar = (i: number) =>
      fetch(`${casa.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${i}` },
        body: JSON.stringify({ email: 'alguem@loja.test', senha: 'errada' }),
      })
    const status: number[] = []
    for (let i = 0; i < 11; i++) status.push((await tentar(i)).status)
    expect(status).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })
})

describe('timeouts', () => {
  it('limits idle connections, statements and locks', async () => {
    const resposta = await deUmaVez('parado', 1)
    expect(resposta).toMatch(/keep-alive: timeout=5/i)
    const [limites] = await casa.deps.db
      .transaction('*', (tx) =>
        tx.query(`select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l`, []),
      )
      .then(({ rows }) => rows)
    expect(limites).toEqual({ s: '5s', l: '3s' })
  })
})
