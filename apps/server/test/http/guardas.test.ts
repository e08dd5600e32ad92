import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pino } from 'pino'
import { io } from 'socket.io-client'
import * as z from 'zod/mini'
import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import { createHttp } from '#http/server.ts'
import { ACESSO, autenticar, type Casa, createCasa } from '#test/bot/casa.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { connected } from '#test/realtime/listen.ts'

/** The guards that every answer passes, whatever its route. */

let banco: TestDatabase
let casa: Casa
beforeAll(async () => {
  banco = await createTestDatabase({ comPrazos: true })
  casa = await createCasa({ banco })
})
afterAll(async () => {
  await casa?.close()
  await banco?.drop()
})

describe('every answer', () => {
  it.each(['/api/health', '/api/nao-existe', '/api/config', '/api/%', `/api/midias/${'x'.repeat(300)}`])(
    '%s carries the headers that shut a browser’s doors',
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
      // And is in our words, whoever refused it.
      expect(await resposta.text()).not.toMatch(/FST_|Bad Request|Invalid/)
    },
  )
})

describe('an address that nobody has', () => {
  it('leads a page to the landing page, and tells a program that it is not there', async () => {
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

describe('what is asked', () => {
  it('is refused in Portuguese when it is no such thing', async () => {
    // As the AI's library does when it is loaded, for everybody.
    z.config(z.locales.en())
    const { status, body } = await casa.pedir('GET', '/mensagens?limite=nenhum')
    expect([status, body['erro']]).toEqual([400, 'Dados inválidos'])
    expect(JSON.stringify(body)).not.toMatch(/Invalid\b/)
    // A form is read by other hands.
    const form = new FormData()
    for (const [campo, valor] of Object.entries({ nome: 'Bolo', descricao: 'De milho', preco: '9', ativo: 'talvez' }))
      form.set(campo, valor)
    expect(await casa.pedir('POST', '/produtos', form)).toMatchObject({
      status: 400,
      body: { erro: 'Dados inválidos' },
    })
  })

  it('may name JSON and say nothing, as many clients do on every request', async () => {
    const { token } = await autenticar(casa.url, ACESSO)
    const vazio = (method: string, caminho: string): Promise<Response> =>
      fetch(`${casa.url}/api${caminho}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
    expect((await vazio('POST', '/bot/parar')).status).toBe(200)
    expect((await vazio('DELETE', '/conversas')).status).toBe(200)
    // Where something must be said, the row says what.
    const semNada = await vazio('POST', '/auth/login')
    expect([semNada.status, await semNada.json()]).toMatchObject([400, { erro: 'Email é obrigatório' }])
  })
})

/** Sends many requests on one line before it reads any answer, so that they arrive together however slow the machine. */
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

describe('a slow line', () => {
  it('is cut while it says a few words, and listened to while it sends a file', async () => {
    const http = await createHttp({ log: pino({ level: 'silent' }), trustProxy: false, corpoMs: 50 })
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

describe('a flood', () => {
  it('is answered 429 with when to come back, and another caller is not concerned', async () => {
    const respostas = (await deUmaVez('afobado', 300)).split('HTTP/1.1 ')
    const recusada = respostas.find((resposta) => resposta.startsWith('429'))
    expect(recusada).toMatch(/retry-after: [1-9]/i)
    expect(recusada).toContain('muitasTentativas')
    // Nobody knows its token: it is one caller with all that come from there and are not known either.
    const { token } = await autenticar(casa.url, ACESSO)
    expect(await deUmaVez(token, 1)).toContain('HTTP/1.1 200')
  })

  it('of tokens that nobody knows is one caller, however many they are, and cannot keep anybody else out', async () => {
    const { token } = await autenticar(casa.url, ACESSO)
    expect(await deUmaVez(token, 1, '/api/auth/eu')).toContain('HTTP/1.1 200')
    const tudo = await deUmaVez('inventado-#-', 450, '/api/auth/eu')
    const [recusadas, desconhecidas] = [tudo.split('HTTP/1.1 429').length - 1, tudo.split('HTTP/1.1 401').length - 1]
    expect(recusadas + desconhecidas).toBe(450)
    expect(recusadas).toBeGreaterThan(0)
    expect(await deUmaVez(token, 1, '/api/auth/eu')).toContain('HTTP/1.1 200')
  })

  it('leaves alone who came back by the socket, as every browser of an office does when the server was started anew', async () => {
    const { token } = await autenticar(casa.url, ACESSO)
    const nova = await createCasa({ banco })
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

  it('of wrong passwords does not hide behind an address that the caller wrote', async () => {
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

describe('a connection', () => {
  it('does not wait for ever: an idle line, a statement and a lock have their time', async () => {
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
