import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MODELOS_IA } from '@balcao/contract/presets/editor-presets'
import { type IaApp, createIaApp } from './ia-app.ts'
import { VALID_KEY } from './fake-gemini.ts'

let app: IaApp
let mask = ''
beforeAll(async () => {
  app = await createIaApp()
  mask = `••••••••${VALID_KEY.slice(-4)}`
})
afterAll(() => app.close())
beforeEach(() => app.fake.reset())

describe('POST /gemini/validar', () => {
  it('checks a key, always with 200; a masked key means the stored one', async () => {
    const validar = async (apiKey: string) => app.request('POST', '/gemini/validar', { apiKey })
    expect(await validar(VALID_KEY)).toEqual({ status: 200, body: { valida: true } })
    expect(await validar(mask)).toEqual({ status: 200, body: { valida: true } })
    expect(await validar('errada')).toEqual({ status: 200, body: { valida: false, erro: 'API Key inválida' } })
    expect(app.fake.modelListKeys).toEqual([VALID_KEY, VALID_KEY, 'errada'])
    expect((await validar('  ')).status).toBe(400)
    const other = await app.loginOtherConta()
    expect((await other('POST', '/gemini/validar', { apiKey: mask })).body).toMatchObject({ valida: false })
  })
})

describe('limit of POST /gemini/validar', () => {
  it('refuses the 31st check within a minute without asking the provider', async () => {
    const other = await app.loginOtherConta()
    const validar = async () => other('POST', '/gemini/validar', { apiKey: VALID_KEY })
    for (let n = 0; n < 30; n += 1) expect((await validar()).status).toBe(200)
    expect(await validar()).toMatchObject({ status: 429, body: { codigo: 'muitasTentativas' } })
    expect(app.fake.modelListKeys).toHaveLength(30)
    expect((await app.request('POST', '/gemini/validar', { apiKey: VALID_KEY })).status).toBe(200)
  })
})

describe('GET /gemini/modelos', () => {
  it('lists the provider’s modelos for a stored key from a cache', async () => {
    for (let vez = 0; vez < 3; vez += 1) {
      expect((await app.request('GET', '/gemini/modelos')).body).toEqual({
        modelos: [
          { id: 'gemini-2.5-flash', nome: 'gemini 2.5 flash', recomendado: true },
          { id: 'gemini-2.5-pro', nome: 'gemini 2.5 pro' },
          { id: 'gemini-flash-latest', nome: 'gemini flash latest' },
        ],
        doProvedor: true,
      })
    }
    expect(app.fake.modelListKeys).toEqual([VALID_KEY])
  })

  it('lists the built-in modelos without a valid key', async () => {
    const other = await app.loginOtherConta()
    expect((await other('GET', '/gemini/modelos')).body).toEqual({ modelos: MODELOS_IA, doProvedor: false })
    expect(app.fake.modelListKeys).toEqual([])
    await app.saveConfig((config) => ({
      ...config,
      gemini: { apiKey: 'chave-que-nao-vale' },
      ia: { ...config.ia, apiKey: 'chave-que-nao-vale' },
    }))
    expect((await app.request('GET', '/gemini/modelos')).body).toEqual({ modelos: MODELOS_IA, doProvedor: false })
    await app.saveConfig()
  })
})

describe('POST /gemini/testar', () => {
  const test = (pergunta: string, ia?: object) =>
    app.request('POST', '/gemini/testar', ia === undefined ? { pergunta } : { pergunta, ia })

  it('answers with the stored settings and hides personal data', async () => {
    const { status, body } = await test('abre hoje? sou a ana@exemplo.com')
    expect(status).toBe(200)
    expect(body).toEqual({ resposta: 'ECO abre hoje? sou a [e-mail oculto]', duracaoMs: expect.any(Number) })
    const [pedido] = app.fake.requests
    expect(pedido?.body.systemInstruction?.parts[0]?.text).toContain('Vendemos canecas.')
    expect(pedido?.modelo).toBe('gemini-2.5-flash')
  })

  it('uses the form’s settings without saving them', async () => {
    const ia = {
      promptTreinamento: 'Vendemos pão.',
      temperaturaResposta: 0.1,
      modeloGemini: 'gemini-2.5-pro',
      apiKey: mask,
    }
    expect((await test('oi', ia)).status).toBe(200)
    const [pedido] = app.fake.requests
    expect(pedido).toMatchObject({ modelo: 'gemini-2.5-pro', chave: VALID_KEY })
    expect(pedido?.body.generationConfig?.temperature).toBe(0.1)
    expect(pedido?.body.systemInstruction?.parts[0]?.text).toMatch(/Vendemos pão\./)
    expect(pedido?.body.systemInstruction?.parts[0]?.text).not.toMatch(/Vendemos canecas/)
    await test('oi')
    expect(app.fake.requests[1]).toMatchObject({ modelo: 'gemini-2.5-flash' })
  })

  it('answers 400 without a key and 502 with the reason of a failure', async () => {
    const other = await app.loginOtherConta()
    expect(await other('POST', '/gemini/testar', { pergunta: 'oi' })).toMatchObject({
      status: 400,
      body: { codigo: 'iaSemChave' },
    })
    expect((await test('oi', { apiKey: '' })).status).toBe(400)
    expect(await test('oi', { apiKey: 'outra-chave' })).toMatchObject({
      status: 502,
      body: { codigo: 'iaFalhou', erro: expect.stringContaining('a API Key foi recusada') },
    })
    app.fake.answerNext({ tipo: 'recusa' })
    expect(await test('oi')).toMatchObject({ status: 502, body: { erro: expect.stringContaining('se recusou') } })
    expect((await test('   ')).status).toBe(400)
    expect((await test('oi', { temperaturaResposta: 7 })).status).toBe(400)
  })

  it('adds the setor to which the model would transfer', async () => {
    app.fake.answerNext({
      tipo: 'ferramentas',
      chamadas: [{ nome: 'transferir_para_setor', args: { setor: 'vendas' } }],
    })
    expect((await test('quero comprar')).body['resposta']).toBe('JA CHAMO\n\n(A conversa iria para o setor Vendas.)')
  })

  it('logs that another modelo answered', async () => {
    expect((await test('oi', { modeloGemini: 'gemini-7-nunca' })).status).toBe(200)
    const lines = await app.app.sql(`select tipo, mensagem from logs where mensagem like '%gemini-7-nunca%'`)
    expect(lines).toEqual([{ tipo: 'warning', mensagem: expect.stringContaining('gemini-flash-latest') }])
  })

  it('counts tokens in GET /gemini/uso', async () => {
    const other = await app.loginOtherConta()
    expect((await other('GET', '/gemini/uso')).body).toEqual({
      hoje: { perguntas: 0, tokensEntrada: 0, tokensSaida: 0 },
      dias: [],
      mes: { mes: expect.stringMatching(/^\d{4}-\d{2}$/), custoCentavos: 0, orcamentoCentavos: null },
    })
    const before = await app.app.sql('select sum(tokens_entrada)::int as n from uso_ia')
    app.fake.answerNext({ tipo: 'texto', texto: 'ok', entrada: 1_000, saida: 1 })
    await test('oi')
    const after = await app.app.sql('select sum(tokens_entrada)::int as n from uso_ia')
    expect(Number(after[0]?.['n']) - Number(before[0]?.['n'])).toBe(1_000)
    expect((await app.request('GET', '/gemini/uso')).body['dias']).toHaveLength(1)
  })
})

it('never returns the AI key', async () => {
  const paths = ['/config', '/gemini/modelos', '/gemini/uso', '/logs', '/bot/status']
  for (const path of paths) expect(JSON.stringify((await app.request('GET', path)).body)).not.toContain(VALID_KEY)
})
