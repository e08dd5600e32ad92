import { euRoute, loginRoute, logoutRoute } from '@balcao/contract/routes/auth'
import { botStatusRoute } from '@balcao/contract/routes/bot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, conclude, setUnauthorizedHandler } from '#shared/api-client.ts'
import { type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'

let api: FakeApi
let ended = 0

beforeEach(() => {
  api = fakeApi()
  ended = 0
  setUnauthorizedHandler(() => {
    ended += 1
  })
})
afterEach(() => api.restore())

const entrar = { body: { email: 'a@b.c', senha: 'x' } }

describe('a call', () => {
  it('carries the stored token, and none when there is none', async () => {
    const vistos: (string | null)[] = []
    api.on('GET /auth/eu', ({ headers }) => {
      vistos.push(headers.get('authorization'))
      return ok({})
    })
    await call(euRoute, {})
    localStorage.setItem('token', 'abc')
    await call(euRoute, {})
    expect(vistos).toEqual([null, 'Bearer abc'])
  })

  it('takes an empty answer for what it is', async () => {
    api.on('POST /auth/logout', () => ({ status: 204 }))
    await expect(call(logoutRoute, {})).resolves.toBeNull()
  })

  it('fails with the server’s sentence, code and data', async () => {
    api.on('GET /auth/eu', () => refusal(429, 'limiteDiario', 'Limite!', { usado: 5, limite: 5 }))
    await expect(call(euRoute, {})).rejects.toMatchObject({
      status: 429,
      codigo: 'limiteDiario',
      message: 'Limite!',
      dados: { usado: 5, limite: 5 },
    })
  })

  it('fails with the row’s own sentence when the body says nothing', async () => {
    api.on('GET /auth/eu', () => ({ status: 502, body: ['html'] }))
    await expect(call(euRoute, {})).rejects.toMatchObject({ status: 502, message: euRoute.erroPadrao })
  })

  it('of the bot without words of its own says the status', async () => {
    for (const [body, frase] of [
      ['Bad Gateway', 'HTTP 502: Bad Gateway'],
      ['<html>nginx</html>', botStatusRoute.erroPadrao],
      ['"x"', botStatusRoute.erroPadrao],
      ['', botStatusRoute.erroPadrao],
    ]) {
      expect(() => conclude(botStatusRoute, 502, String(body), null)).toThrow(new RegExp(`^${String(frase)}$`))
    }
    expect(() => conclude(euRoute, 502, 'Bad Gateway', null)).toThrow(euRoute.erroPadrao)
  })

  it('tells a lost network from a call that was given up', async () => {
    api.on('GET /auth/eu', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(call(euRoute, {})).rejects.toMatchObject({ status: 0, codigo: 'semRede' })
    const saida = new AbortController()
    saida.abort()
    await expect(call(euRoute, { signal: saida.signal })).rejects.not.toMatchObject({ codigo: 'semRede' })
  })
})

describe('a 401', () => {
  it('ends the session', async () => {
    localStorage.setItem('token', 'velho')
    api.on('GET /auth/eu', () => refusal(401, 'semSessao', 'Sua sessão terminou.'))
    await expect(call(euRoute, {})).rejects.toMatchObject({ status: 401 })
    expect(ended).toBe(1)
  })

  it('of the login itself does not', async () => {
    api.on('POST /auth/login', () => ({ status: 401, body: { erro: 'E-mail ou senha incorretos' } }))
    await expect(call(loginRoute, entrar)).rejects.toThrow('E-mail ou senha incorretos')
    expect(ended).toBe(0)
  })

  it('that answers an older session leaves the new one alone', async () => {
    localStorage.setItem('token', 'velho')
    api.on('GET /auth/eu', () => {
      localStorage.setItem('token', 'novo')
      return refusal(401, 'semSessao', 'Sua sessão terminou.')
    })
    await expect(call(euRoute, {})).rejects.toMatchObject({ status: 401 })
    expect(ended).toBe(0)
  })
})
