import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { parseServerEvent } from '@balcao/contract/realtime'
import { apiRoutes } from '@balcao/contract/routes/all'
import { buscarMensagensRoute } from '@balcao/contract/routes/atendimento-busca'
import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { indexRound } from '#modules/busca/index.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { connectBot, formFile, givenConta, givenWaitingCustomer, saveConfig, sendAsCustomer } from '#test/builders.ts'
import { ogg, png } from '#test/midias/sample-files.ts'
import { createFakeGemini, type FakeGemini, type GeminiBehaviour, VALID_KEY } from './fake-gemini.ts'
import { vendorKey } from './provedores/fake-vendors.ts'

const ANA = '5511966000001'

let fake: FakeGemini
let app: TestApp
let dona: TestUser
let conversaId = ''

const transcribing = (config: Config): Config => ({
  ...config,
  gemini: { apiKey: VALID_KEY },
  ia: { ...config.ia, ativa: true, apiKey: VALID_KEY, esperaSegundos: 0, transcrever: true },
})
const says = (texto: string): GeminiBehaviour => ({ tipo: 'texto', texto, entrada: 200, saida: 20 })
const failure: GeminiBehaviour = { tipo: 'erro', status: 400, codigo: 'INVALID_ARGUMENT' }

async function speaks(bytes = ogg(), telefone = ANA): Promise<void> {
  const sent = await sendAsCustomer(dona, telefone, { nome: 'Ana', arquivo: formFile(bytes, 'voz.ogg', 'audio/ogg') })
  expect(sent.status).toBe(202)
  await app.idle()
}

async function lastMensagem(id = conversaId): Promise<Mensagem | undefined> {
  const { body } = await dona.request('GET', `/atendimento/conversas/${id}/mensagens`)
  return mensagensDaConversaRoute.response.parse(body).mensagens.at(-1)
}
const untilState = (estado: string): Promise<Mensagem> =>
  waitUntil(async () => {
    const mensagem = await lastMensagem()
    return mensagem?.transcricao?.estado === estado ? mensagem : null
  })
const waiting = () => app.sql('select tentativas from transcricoes')
const found = async (q: string): Promise<string[]> => {
  const { body } = await dona.request('GET', `/atendimento/busca?q=${encodeURIComponent(q)}`)
  return buscarMensagensRoute.response.parse(body).resultados.map(({ trecho }) => trecho)
}

/** From the last attempt to the next one, without its lease. Rounded, because the clock of the test was advanced. */
async function postponedMs(): Promise<number> {
  const [row] = await app.sql('select proxima_em from transcricoes')
  const until = new Date(String(row?.['proxima_em'])).getTime() - app.deps.clock.now().getTime()
  return Math.round(until / 30_000) * 30_000
}

/** Opus of this length in seconds. */
function voice(seconds: number): Buffer {
  const page = Buffer.alloc(28)
  page.write('OggS', 0, 'latin1')
  page.writeBigUInt64LE(BigInt(seconds * 48_000), 6)
  return Buffer.concat([ogg(), page])
}

beforeAll(async () => {
  fake = await createFakeGemini()
  app = await createTestApp({ geminiUrl: fake.url, timings: { pollMs: 20 } })
  dona = await givenConta(app)
  await connectBot(dona, transcribing)
  conversaId = await givenWaitingCustomer(dona, ANA)
})
afterEach(() => fake.reset())
afterAll(async () => {
  await app.close()
  await fake.close()
})

describe('transcript of a voice note', () => {
  it('follows the stored and announced message in an event, and counts its tokens', async () => {
    const { promise, resolve } = Promise.withResolvers<GeminiBehaviour>()
    fake.answerAlways(() => promise)
    const { received } = await app.connect(dona)
    await speaks(voice(300))
    const { id } = await untilState('pendente')
    await waitUntil(() => fake.requests.length === 1)
    // Other messages and timers go on.
    await sendAsCustomer(dona, ANA, { texto: 'ouviu?' })
    await waitUntil(async () => (await lastMensagem())?.texto === 'ouviu?')
    resolve(says('Tem bolo de fubá hoje?'))
    const ready = { texto: 'Tem bolo de fubá hoje?', estado: 'pronta' }
    const shown = (): unknown[] =>
      received.flatMap(([name, data]) => {
        const event = parseServerEvent(name, data)
        if (event?.evento !== 'mensagemConversaHumana' || event.dados.mensagem.id !== id) return []
        const { marcada = false, mensagem } = event.dados
        return [[marcada, mensagem.transcricao]]
      })
    await expect.poll(shown).toEqual([
      [false, { texto: '', estado: 'pendente' }],
      [true, ready],
    ])
    const [request] = fake.requests
    expect(request?.body.contents[0]?.parts[0]?.inlineData).toEqual({
      mimeType: 'audio/ogg',
      data: voice(300).toString('base64'),
    })
    expect(await waiting()).toEqual([])
    const { hoje } = apiRoutes.usoGemini.response.parse((await dona.request('GET', '/gemini/uso')).body)
    expect(hoje).toEqual({ perguntas: 1, tokensEntrada: 200, tokensSaida: 20 })
  })

  it('costs the price of the provider that was asked, although another one was chosen meanwhile', async () => {
    const shop = await givenConta(app)
    await connectBot(shop, transcribing)
    const { promise, resolve } = Promise.withResolvers<GeminiBehaviour>()
    fake.answerAlways(() => promise)
    await sendAsCustomer(shop, ANA, { nome: 'Ana', arquivo: formFile(ogg(), 'voz.ogg', 'audio/ogg') })
    await waitUntil(() => fake.requests.length === 1)
    const other = { provedor: 'anthropic', modeloGemini: 'claude-haiku-5-5' } as const
    await saveConfig(shop, ({ ia, ...config }) => {
      const chaves = { ...ia.chaves, anthropic: vendorKey('anthropic') }
      return { ...config, ia: { ...ia, ...other, chaves } }
    })
    resolve({ tipo: 'texto', texto: 'Tem bolo?', entrada: 10_000_000, saida: 0 })
    const month = async () => apiRoutes.usoGemini.response.parse((await shop.request('GET', '/gemini/uso')).body).mes
    const { custoCentavos } = await waitUntil(async () => {
      const spent = await month()
      return spent.custoCentavos > 0 ? spent : null
    })
    // Ten million tokens of the model of Gemini, at 0.30 dollars for a million.
    expect(custoCentavos).toBe(1_800)
  })

  it('is found by the search, before and after the task read the message', async () => {
    fake.answerNext(says('quero um pudim de tapioca'), says('e dez brigadeiros'))
    await speaks()
    await untilState('pronta')
    expect(await found('tapioca')).toEqual(['quero um pudim de tapioca'])
    const { promise, resolve } = Promise.withResolvers<GeminiBehaviour>()
    fake.reset()
    fake.answerAlways(() => promise)
    await speaks()
    await untilState('pendente')
    await indexRound(app.deps, () => false)
    expect(await found('brigadeiros')).toEqual([])
    resolve(says('e dez brigadeiros'))
    await untilState('pronta')
    expect(await found('brigadeiros')).toEqual(['e dez brigadeiros'])
    expect(await found('tapioca')).toEqual(['quero um pudim de tapioca'])
  })

  it('is what the assistant reads later instead of the audio', async () => {
    const [bia, text] = ['5511966000002', 'vocês entregam no sábado?']
    fake.answerAlways(({ pergunta }) => says(pergunta.startsWith('Transcreva') ? text : 'Sim!'))
    await sendAsCustomer(dona, bia, { nome: 'Bia', texto: 'oi' })
    await speaks(ogg(), bia)
    await waitUntil(async () => (await waiting()).length === 0)
    for (const texto of ['assistente', 'e no domingo?']) await sendAsCustomer(dona, bia, { nome: 'Bia', texto })
    const asked = await waitUntil(() => fake.requests.find(({ pergunta }) => pergunta.includes('domingo')) ?? null)
    expect(JSON.stringify(asked.body.contents)).toContain(`[áudio transcrito] ${text}`)
  })

  it('fails after three tries', async () => {
    fake.answerNext(failure, failure, failure)
    await speaks()
    for (const [tries, ms] of [
      [1, 31_000],
      [2, 301_000],
    ] as const) {
      await waitUntil(async () => (await waiting())[0]?.['tentativas'] === tries && fake.requests.length === tries)
      // Postponed, and not in the middle of an attempt.
      await waitUntil(async () => (await postponedMs()) === ms - 1_000)
      app.advance(ms)
    }
    expect((await untilState('falhou')).transcricao).toEqual({ texto: '', estado: 'falhou' })
    expect(fake.requests).toHaveLength(3)
    expect(await waiting()).toEqual([])
  })

  it('ends when the setting is switched off, and finished ones stay', async () => {
    fake.answerNext(says('fica guardado'), failure)
    await speaks()
    const { id } = await untilState('pronta')
    await speaks()
    await waitUntil(() => fake.requests.length === 2)
    await saveConfig(dona, (config) => ({ ...config, ia: { ...config.ia, transcrever: false } }))
    app.advance(31_000)
    await waitUntil(async () => (await waiting()).length === 0)
    expect((await lastMensagem())?.transcricao).toBeUndefined()
    await speaks()
    expect((await lastMensagem())?.transcricao).toBeUndefined()
    const { body } = await dona.request('GET', `/atendimento/conversas/${conversaId}/mensagens`)
    const { mensagens } = mensagensDaConversaRoute.response.parse(body)
    expect(mensagens.find((one) => one.id === id)?.transcricao?.texto).toBe('fica guardado')
    expect(fake.requests).toHaveLength(2)
    await saveConfig(dona, transcribing)
  })

  it('is written for no picture, no long audio, and no audio of the shop', async () => {
    await sendAsCustomer(dona, ANA, { arquivo: formFile(png(), 'bolo.png') })
    await app.idle()
    expect((await lastMensagem())?.transcricao).toBeUndefined()
    const form = new FormData()
    form.set('arquivo', formFile(ogg(), 'resposta.ogg', 'audio/ogg'))
    expect((await dona.request('POST', `/atendimento/conversas/${conversaId}/midia`, form)).status).toBe(200)
    expect((await lastMensagem())?.transcricao).toBeUndefined()
    await speaks(voice(301))
    await waitUntil(async () => (await waiting()).length === 0)
    expect((await lastMensagem())?.transcricao).toBeUndefined()
    expect(fake.requests).toEqual([])
  })

  it('is exported with the data of the customer and erased with them', async () => {
    fake.answerNext(says('moro na rua das acácias'))
    await speaks()
    await untilState('pronta')
    const path = `/lgpd/titulares/${ANA}`
    const { body } = await dona.request('GET', `${path}/exportacao`)
    const { mensagens } = apiRoutes.exportarTitular.response.parse(body)
    expect(mensagens.at(-1)?.marcas?.transcricao?.texto).toBe('moro na rua das acácias')
    fake.answerAlways(() => new Promise(() => undefined))
    await speaks()
    await waitUntil(() => fake.requests.length === 2)
    expect((await dona.request('DELETE', path)).status).toBe(200)
    expect(await waiting()).toEqual([])
    expect(await app.sql(`select 1 from mensagens where extras::text like '%acácias%'`)).toEqual([])
    expect(await found('acácias')).toEqual([])
  })
})
