import { euRoute, loginRoute, logoutRoute } from '@balcao/contract/routes/auth'
import { botStatusRoute } from '@balcao/contract/routes/bot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, conclude, setRefusedSessionHandler } from '#shared/api-client.ts'
import { type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'

let api: FakeApi
let ended = 0

beforeEach(() => {
  api = fakeApi()
  ended = 0
  setRefusedSessionHandler(() => {
    ended += 1
  })
})
afterEach(() => api.restore())

const enter = { body: { email: 'a@b.c', senha: 'x' } }

describe('call', () => {
  it('sends the stored token, and none without a session', async () => {
    const seen: (string | null)[] = []
    api.on('GET /auth/eu', ({ headers }) => {
      seen.push(headers.get('authorization'))
      return ok({})
    })
    await call(euRoute, {})
    localStorage.setItem('token', 'abc')
    await call(euRoute, {})
    expect(seen).toEqual([null, 'Bearer abc'])
  })

  it('takes the reply that app.html requested once, only for the same session', async () => {
    const sent = (usuario: string) => Promise.resolve(Response.json({ usuario }))
    api.on('GET /auth/eu', () => ok({ usuario: 'asked' }))
    localStorage.setItem('token', 'abc')
    window.firstReads = { token: 'abc', replies: { '/api/auth/eu': sent('early') } }
    expect([await call(euRoute, {}), await call(euRoute, {})]).toEqual([{ usuario: 'early' }, { usuario: 'asked' }])
    window.firstReads = { token: 'of another session', replies: { '/api/auth/eu': sent('early') } }
    expect(await call(euRoute, {})).toEqual({ usuario: 'asked' })
    window.firstReads = { token: 'abc', replies: { '/api/auth/eu': Promise.reject(new TypeError('no network')) } }
    expect(await call(euRoute, {})).toEqual({ usuario: 'asked' })
    delete window.firstReads
  })

  it('accepts an empty answer', async () => {
    api.on('POST /auth/logout', () => ({ status: 204 }))
    await expect(call(logoutRoute, {})).resolves.toBeNull()
  })

  it('rejects with the server’s sentence, code and data', async () => {
    api.on('GET /auth/eu', () => refusal(429, 'limiteDiario', 'Limite!', { usado: 5, limite: 5 }))
    await expect(call(euRoute, {})).rejects.toMatchObject({
      status: 429,
      codigo: 'limiteDiario',
      message: 'Limite!',
      dados: { usado: 5, limite: 5 },
    })
  })

  it('rejects with the route’s sentence when the body has none', async () => {
    api.on('GET /auth/eu', () => ({ status: 502, body: ['html'] }))
    await expect(call(euRoute, {})).rejects.toMatchObject({ status: 502, message: euRoute.fallbackError })
  })

  it('rejects with the HTTP status for bot routes without a sentence', async () => {
    for (const [body, sentence] of [
      ['Bad Gateway', 'HTTP 502: Bad Gateway'],
      ['<html>nginx</html>', botStatusRoute.fallbackError],
      ['"x"', botStatusRoute.fallbackError],
      ['', botStatusRoute.fallbackError],
    ]) {
      expect(() => conclude(botStatusRoute, 502, String(body), null)).toThrow(new RegExp(`^${String(sentence)}$`))
    }
    expect(() => conclude(euRoute, 502, 'Bad Gateway', null)).toThrow(euRoute.fallbackError)
  })

  it('distinguishes a lost network from an aborted call', async () => {
    api.on('GET /auth/eu', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(call(euRoute, {})).rejects.toMatchObject({ status: 0, codigo: 'semRede' })
    const output = new AbortController()
    output.abort()
    await expect(call(euRoute, { signal: output.signal })).rejects.not.toMatchObject({ codigo: 'semRede' })
  })
})

describe('call answered with 401', () => {
  it('ends the session', async () => {
    localStorage.setItem('token', 'velho')
    api.on('GET /auth/eu', () => refusal(401, 'semSessao', 'Sua sessão terminou.'))
    await expect(call(euRoute, {})).rejects.toMatchObject({ status: 401 })
    expect(ended).toBe(1)
  })

  it('keeps the session when the login itself is refused', async () => {
    api.on('POST /auth/login', () => ({ status: 401, body: { erro: 'E-mail ou senha incorretos' } }))
    await expect(call(loginRoute, enter)).rejects.toThrow('E-mail ou senha incorretos')
    expect(ended).toBe(0)
  })

  it('keeps a newer session when an older one is refused', async () => {
    localStorage.setItem('token', 'velho')
    api.on('GET /auth/eu', () => {
      localStorage.setItem('token', 'novo')
      return refusal(401, 'semSessao', 'Sua sessão terminou.')
    })
    await expect(call(euRoute, {})).rejects.toMatchObject({ status: 401 })
    expect(ended).toBe(0)
  })
})
