import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createIa } from '#adapters/ia/ia.ts'
import type { AiAnswer, AiRequest, AiProvider } from '#ports/ai.ts'
import { VALID_KEY, type GeminiBehaviour, createFakeGemini, type FakeGemini } from './fake-gemini.ts'
import { waitUntil } from '#test/app.ts'

const ASKED = { provedor: 'gemini', urlBase: '', apiKey: VALID_KEY } as const

let falso: FakeGemini
let provedor: AiProvider
let agora = 0
beforeAll(async () => {
  falso = await createFakeGemini()
})
afterAll(() => falso.close())
beforeEach(() => {
  falso.reset()
  agora = 1_000_000
  provedor = createIa({ urls: { gemini: falso.url }, log: { warn: () => undefined }, backoffMs: 1, now: () => agora })
})

function perguntar(contaId: string, contatoId: string | null, mais: Partial<AiRequest> = {}): Promise<AiAnswer> {
  return provedor.answer({ ...requestOf(contaId, contatoId), ...mais })
}

function requestOf(contaId: string, contatoId: string | null): AiRequest {
  return {
    ...{ contaId, contatoId, ...ASKED, modelo: 'gemini-2.5-flash', temperatura: 0, instrucoes: 'I' },
    ...{
      historico: [],
      pergunta: `${contaId} ${contatoId ?? 'teste'}`,
      midias: [],
      setores: [],
      procurarProdutos: null,
      trechos: [],
    },
  }
}

/** Occupies all four slots of one conta until released. */
async function ocupar() {
  const { promise: loose, resolve: soltar } = Promise.withResolvers<void>()
  falso.answerAlways(async () => {
    await loose
    return { tipo: 'texto', texto: 'ok' }
  })
  const presas = Array.from({ length: 4 }, (_, i) => perguntar('cheia', `c${i}`))
  await waitUntil(() => falso.requests.length === 4)
  return { presas, soltar }
}

const FORA: GeminiBehaviour = { tipo: 'erro', status: 403, codigo: 'PERMISSION_DENIED' }

describe('limits of Gemini requests', () => {
  it('runs four questions per conta at once without delaying another conta', async () => {
    const { promise: loose, resolve: release } = Promise.withResolvers<void>()
    falso.answerAlways(async ({ pergunta }) => {
      if (pergunta.startsWith('cheia')) await loose
      return { tipo: 'texto', texto: pergunta }
    })
    const stuck = Array.from({ length: 6 }, (_, i) => perguntar('cheia', `c${i}`))
    await waitUntil(() => falso.requests.length === 4)
    expect(await perguntar('livre', 'ana')).toMatchObject({ tipo: 'texto', texto: 'livre ana' })
    expect(falso.requests).toHaveLength(5)
    release()
    const respostas = await Promise.all(stuck)
    expect(respostas.map(({ tipo }) => tipo)).toEqual(Array(6).fill('texto'))
    expect(falso.requests).toHaveLength(7)
  })

  it('runs eight questions with files at once over all contas without delaying texts', async () => {
    const { promise: loose, resolve: release } = Promise.withResolvers<void>()
    const contas = ['a', 'b', 'c', 'd', 'e']
    const withFiles = async (conta: string): Promise<AiRequest> => {
      reading += 1
      mostReading = Math.max(mostReading, reading)
      await loose
      reading -= 1
      return requestOf(conta, 'c')
    }
    let [reading, mostReading] = [0, 0]
    const stuck = contas.flatMap((conta) =>
      Array.from({ length: 4 }, (_, i) => perguntar(conta, `c${i}`, { withFiles: () => withFiles(conta) })),
    )
    await waitUntil(() => reading === 8)
    expect((await perguntar('livre', 'ana')).tipo).toBe('texto')
    release()
    expect((await Promise.all(stuck)).map(({ tipo }) => tipo)).toEqual(Array(20).fill('texto'))
    expect(mostReading).toBe(8)
  })

  it('frees the place in the queue when the caller aborts', async () => {
    const { presas, soltar } = await ocupar()
    const giveUp = new AbortController()
    const quinta = provedor.answer(
      {
        ...{ contaId: 'cheia', contatoId: 'c5', ...ASKED, modelo: 'gemini-2.5-flash', temperatura: 0 },
        ...{
          instrucoes: 'I',
          historico: [],
          pergunta: '?',
          midias: [],
          setores: [],
          procurarProdutos: null,
          trechos: [],
        },
      },
      giveUp.signal,
    )
    giveUp.abort()
    expect(await quinta).toMatchObject({ tipo: 'falha' })
    soltar()
    await Promise.all(presas)
    const after = await Promise.all(Array.from({ length: 4 }, (_, i) => perguntar('cheia', `d${i}`)))
    expect(after.map(({ tipo }) => tipo)).toEqual(Array(4).fill('texto'))
  })

  it('does not count the wait for a slot in the timeout or as a failure', async () => {
    const timeoutMs = 1_500
    provedor = createIa({ urls: { gemini: falso.url }, log: { warn: () => undefined }, backoffMs: 1, timeoutMs })
    falso.answerAlways(({ pergunta }) =>
      pergunta.endsWith('teste') ? { tipo: 'nunca' } : { tipo: 'texto', texto: 'a seu tempo' },
    )
    // The owner's tests hold every slot until their timeout. Tests never count as failures.
    const stuck = Array.from({ length: 4 }, () => perguntar('cheia', null))
    await waitUntil(() => falso.requests.length === 4)
    const respostas = await Promise.all(Array.from({ length: 5 }, (_, i) => perguntar('cheia', `c${i}`)))
    expect(respostas.map(({ tipo }) => tipo)).toEqual(Array(5).fill('texto'))
    for (const presa of stuck) expect(await presa).toMatchObject({ motivo: 'o Gemini demorou demais' })
  })

  it('fails without a request if the wait for a slot is too long', async () => {
    provedor = createIa({
      urls: { gemini: falso.url },
      log: { warn: () => undefined },
      backoffMs: 1,
      queueTimeoutMs: 20,
    })
    const { presas, soltar } = await ocupar()
    const demais = await Promise.all(Array.from({ length: 6 }, (_, i) => perguntar('cheia', `d${i}`)))
    for (const reply of demais) {
      expect(reply).toEqual({ tipo: 'falha', motivo: expect.stringMatching(/a vez desta não chegou/) })
    }
    expect(falso.requests).toHaveLength(4)
    soltar()
    await Promise.all(presas)
    expect(await perguntar('cheia', 'depois')).toMatchObject({ tipo: 'texto' })
  })

  it('limits one contato to ten questions per minute', async () => {
    for (let vez = 0; vez < 10; vez += 1) expect((await perguntar('loja', 'ana')).tipo).toBe('texto')
    expect(await perguntar('loja', 'ana')).toMatchObject({
      tipo: 'falha',
      motivo: expect.stringMatching(/em um minuto/),
    })
    expect(falso.requests).toHaveLength(10)
    expect((await perguntar('loja', 'bia')).tipo).toBe('texto')
    expect((await perguntar('outra', 'ana')).tipo).toBe('texto')
    agora += 60_001
    expect((await perguntar('loja', 'ana')).tipo).toBe('texto')
  })

  it('does not limit the owner’s tests', async () => {
    for (let vez = 0; vez < 12; vez += 1) expect((await perguntar('loja', null)).tipo).toBe('texto')
  })
})

describe('circuit breaker', () => {
  const fail = async (conta: string, times: number): Promise<void> => {
    falso.answerAlways(() => FORA)
    for (let vez = 0; vez < times; vez += 1) expect((await perguntar(conta, `c${vez}`)).tipo).toBe('falha')
  }

  it('opens per conta after five failures in a row, then allows one probe', async () => {
    await fail('loja', 5)
    expect(falso.requests).toHaveLength(5)
    expect(await perguntar('loja', 'x')).toMatchObject({ motivo: expect.stringMatching(/várias vezes seguidas/) })
    expect(falso.requests).toHaveLength(5)
    falso.answerAlways(() => ({ tipo: 'texto', texto: 'ok' }))
    expect((await perguntar('vizinha', 'x')).tipo).toBe('texto')
    expect((await perguntar('loja', 'y')).tipo).toBe('falha')
    agora += 30_001
    // Half-open: one probe at a time.
    const { promise: loose, resolve: release } = Promise.withResolvers<void>()
    falso.answerAlways(async () => {
      await loose
      return { tipo: 'texto', texto: 'voltei' }
    })
    const before = falso.requests.length
    const sonda = perguntar('loja', 'sonda')
    await waitUntil(() => falso.requests.length === before + 1)
    expect((await perguntar('loja', 'z')).tipo).toBe('falha')
    release()
    expect(await sonda).toMatchObject({ tipo: 'texto', texto: 'voltei' })
    expect((await perguntar('loja', 'z')).tipo).toBe('texto')
  })

  it('stays open if the probe fails', async () => {
    await fail('loja', 5)
    agora += 30_001
    expect(await perguntar('loja', 'sonda')).toMatchObject({ motivo: expect.stringMatching(/recusada/) })
    expect(await perguntar('loja', 'z')).toMatchObject({ motivo: expect.stringMatching(/várias vezes/) })
    expect(falso.requests).toHaveLength(6)
  })

  it('counts only consecutive failures of the provider', async () => {
    await fail('loja', 4)
    falso.answerNext({ tipo: 'texto', texto: 'ok' })
    expect((await perguntar('loja', 'bem')).tipo).toBe('texto')
    await fail('loja', 4)
    falso.answerAlways(() => ({ tipo: 'recusa' }))
    for (let vez = 0; vez < 6; vez += 1) {
      expect(await perguntar('loja', `r${vez}`)).toMatchObject({ motivo: expect.stringMatching(/se recusou/) })
    }
  })

  it('lets tests and another key pass, and closes after a success', async () => {
    await fail('loja', 5)
    falso.answerAlways(() => ({ tipo: 'texto', texto: 'ok' }))
    expect(await perguntar('loja', 'x', { apiKey: 'outra' })).toMatchObject({
      motivo: expect.stringMatching(/recusada/),
    })
    expect((await perguntar('loja', null)).tipo).toBe('texto')
    expect((await perguntar('loja', 'x')).tipo).toBe('texto')
  })
})
