import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createIa } from '#adapters/ia/ia.ts'
import type { AiRequest, AiProvider } from '#ports/ai.ts'
import { VALID_KEY, type GeminiBehaviour, createFakeGemini, type FakeGemini } from './fake-gemini.ts'
import { waitUntil } from '#test/app.ts'

const ACCESS = { provedor: 'gemini', urlBase: '', apiKey: VALID_KEY } as const

let falso: FakeGemini
let avisos: object[]
let agora = 0
beforeAll(async () => {
  falso = await createFakeGemini()
  // Loads the library now, so that its load time does not count in a test.
  await gemini().answer(pedido())
})
afterAll(() => falso.close())
beforeEach(() => {
  falso.reset()
  avisos = []
  agora = 1_000_000
})

/** `pressa`: very short timeout, for tests of a silent provider. */
function gemini({ pressa = false } = {}): AiProvider {
  return createIa({
    urls: { gemini: `${falso.url}/` },
    log: { warn: (dados) => void avisos.push(dados) },
    backoffMs: 1,
    now: () => agora,
    ...(pressa ? { timeoutMs: 1_000 } : {}),
  })
}

let contas = 0
function pedido(mais: Partial<AiRequest> = {}): AiRequest {
  contas += 1
  return {
    contaId: `conta-${contas}`,
    contatoId: 'ana',
    ...ACCESS,
    modelo: 'gemini-2.5-flash',
    temperatura: 0.3,
    instrucoes: 'INSTRUÇÕES',
    historico: [],
    pergunta: 'quanto custa?',
    midias: [],
    setores: [
      { id: 'vendas', nome: 'Vendas' },
      { id: 'geral', nome: 'Geral' },
    ],
    trechos: [],
    procurarProdutos: (search) => [{ nome: `achado por ${search}`, preco: 'R$ 10,00' }],
    ...mais,
  }
}

const chamar = (nome: string, args: object): GeminiBehaviour => ({ tipo: 'ferramentas', chamadas: [{ nome, args }] })

describe('answer', () => {
  it('sends key, temperature, instructions, history and question in their fields', async () => {
    falso.answerNext({ tipo: 'texto', texto: 'Custa R$ 10.', entrada: 321, saida: 12 })
    const historico = [
      { de: 'cliente', texto: 'oi' },
      { de: 'bot', texto: 'Olá!' },
    ] as const
    const reply = await gemini().answer(pedido({ historico }))
    expect(reply).toMatchObject({ tipo: 'texto', texto: 'Custa R$ 10.' })
    expect(reply.registro).toMatchObject({ modelo: 'gemini-2.5-flash', tokensEntrada: 321, tokensSaida: 12 })
    const [sent] = falso.requests
    expect(sent?.chave).toBe(VALID_KEY)
    expect(sent?.rawBody).not.toContain(VALID_KEY)
    expect(sent?.body.systemInstruction?.parts).toEqual([{ text: 'INSTRUÇÕES' }])
    expect(sent?.body.generationConfig?.temperature).toBe(0.3)
    expect(sent?.body.contents).toEqual([
      { role: 'user', parts: [{ text: 'oi' }] },
      { role: 'model', parts: [{ text: 'Olá!' }] },
      { role: 'user', parts: [{ text: 'quanto custa?' }] },
    ])
  })

  it('sends images and audio inline', async () => {
    const midias = [{ mimeType: 'image/png', bytes: new Uint8Array([1, 2, 3]) }]
    await gemini().answer(pedido({ midias }))
    expect(falso.requests[0]?.body.contents[0]?.parts).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AQID' } },
      { text: 'quanto custa?' },
    ])
  })

  it('runs the product search for the model and records it', async () => {
    falso.answerNext(chamar('procurar_produtos', { busca: 'caneca' }), { tipo: 'texto', texto: 'Temos!' })
    const reply = await gemini().answer(pedido())
    expect(reply).toMatchObject({ tipo: 'texto', texto: 'Temos!' })
    const last = falso.requests[1]?.body.contents.at(-1)?.parts[0]?.functionResponse
    expect(JSON.stringify(last)).toContain('achado por caneca')
    expect(reply.registro).toMatchObject({
      ferramentas: [{ nome: 'procurar_produtos', pedido: '{"busca":"caneca"}' }],
      tokensEntrada: 200,
      tokensSaida: 20,
    })
    expect(reply.registro?.ferramentas[0]?.resultado).toContain('achado por caneca')
  })

  it('transfers to an existing setor and reports an unknown one to the model', async () => {
    falso.answerNext(chamar('transferir_para_setor', { setor: 'vendas' }))
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'transferir', setor: 'vendas' })
    falso.answerNext(chamar('transferir_para_setor', { setor: 'diretoria' }), { tipo: 'texto', texto: 'Posso ajudar?' })
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'texto', texto: 'Posso ajudar?' })
    falso.answerNext(chamar('apagar_tudo', {}), { tipo: 'texto', texto: 'Não posso.' })
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'texto', texto: 'Não posso.' })
  })

  it('offers the two tools, each only if it can be used', async () => {
    await gemini().answer(pedido())
    const names = [...JSON.stringify(falso.requests[0]?.body.tools).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name)
    expect(new Set(names)).toEqual(new Set(['procurar_produtos', 'transferir_para_setor']))
    await gemini().answer(pedido({ setores: [], procurarProdutos: null, trechos: [] }))
    expect(falso.requests[1]?.body.tools).toBeUndefined()
  })

  it('stops calling tools after at most four requests', async () => {
    falso.answerAlways(() => chamar('procurar_produtos', { busca: 'x' }))
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'falha' })
    expect(falso.requests.length).toBeLessThanOrEqual(4)
  })
})

describe('answer, failures', () => {
  it.each<[GeminiBehaviour, RegExp]>([
    [{ tipo: 'recusa' }, /se recusou/],
    [{ tipo: 'bloqueio' }, /se recusou/],
    [{ tipo: 'vazia' }, /vazio/],
    [{ tipo: 'lixo' }, /não se entende/],
    [{ tipo: 'enorme' }, /tamanho/],
    [{ tipo: 'desvio' }, /desvio/],
    [{ tipo: 'erro', status: 403, codigo: 'PERMISSION_DENIED' }, /API Key foi recusada/],
    [{ tipo: 'erro', status: 400, codigo: 'INVALID_ARGUMENT' }, /não aceitou a pergunta/],
  ])('%j returns a failure with a Portuguese reason without a retry', async (behavior, motivo) => {
    falso.answerAlways(() => behavior)
    const reply = await gemini().answer(pedido())
    expect(reply).toMatchObject({ tipo: 'falha', motivo: expect.stringMatching(motivo) })
    expect(falso.requests).toHaveLength(1)
  })

  it.each<[GeminiBehaviour, RegExp]>([
    [{ tipo: 'erro', status: 503, codigo: 'UNAVAILABLE' }, /com problemas/],
    [{ tipo: 'erro', status: 429, codigo: 'RESOURCE_EXHAUSTED' }, /limite de uso/],
    [{ tipo: 'corta' }, /conectar/],
  ])('%j is retried once', async (behavior, motivo) => {
    falso.answerNext(behavior, { tipo: 'texto', texto: 'voltei' })
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'texto', texto: 'voltei' })
    falso.reset()
    falso.answerAlways(() => behavior)
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'falha', motivo: expect.stringMatching(motivo) })
    expect(falso.requests).toHaveLength(2)
  })

  it.each([{ tipo: 'nunca' }, { tipo: 'gotas' }] as const)(
    '%j ends after the timeout and closes the connection',
    async (behavior) => {
      falso.answerAlways(() => behavior)
      const reply = await gemini({ pressa: true }).answer(pedido())
      expect(reply).toMatchObject({ tipo: 'falha', motivo: expect.stringMatching(/demorou/) })
      expect(reply.registro).toMatchObject({ tokensEntrada: 0, tokensSaida: 0 })
      await waitUntil(() => falso.abortedCount() === 1)
    },
  )

  it('keeps the key out of answers and logs', async () => {
    falso.answerAlways(() => ({ tipo: 'erro', status: 400, mensagem: `bad key ${VALID_KEY}` }))
    const provedor = gemini()
    const ditos = [
      await provedor.answer(pedido()),
      await provedor.answer(pedido({ apiKey: 'AIzaOutraChaveSecreta123' })),
      await provedor.checkKey({ ...ACCESS, apiKey: 'AIzaOutraChaveSecreta123' }),
      avisos,
    ]
    expect(JSON.stringify(ditos)).not.toMatch(/AIza/)
    expect(avisos.length).toBeGreaterThan(0)
  })

  it('ends immediately when its signal aborts', async () => {
    falso.answerAlways(() => ({ tipo: 'nunca' }))
    const giveUp = new AbortController()
    const reply = gemini().answer(pedido(), giveUp.signal)
    await waitUntil(() => falso.requests.length === 1)
    giveUp.abort()
    expect(await reply).toMatchObject({ tipo: 'falha' })
    expect(avisos).toEqual([])
  })
})

describe('modelos', () => {
  it('replaces retired names with the current modelo', async () => {
    for (const modelo of ['gemini-pro', 'gemini-1.5-flash', 'gemini-1.5-pro']) {
      const reply = await gemini().answer(pedido({ modelo }))
      expect(reply.registro?.modelo).toBe('gemini-flash-latest')
      expect(reply.avisos).toBeUndefined()
    }
    expect(falso.requests.map(({ modelo }) => modelo)).toEqual(Array(3).fill('gemini-flash-latest'))
  })

  it('falls back once from an unknown modelo, then skips it, with one aviso', async () => {
    const provedor = gemini()
    const { contaId } = pedido()
    const first = await provedor.answer(pedido({ contaId, modelo: 'gemini-9-ultra' }))
    expect(first).toMatchObject({ tipo: 'texto', avisos: [expect.stringContaining('"gemini-9-ultra"')] })
    const second = await provedor.answer(pedido({ contaId, modelo: 'gemini-9-ultra' }))
    expect(second.avisos).toBeUndefined()
    expect(falso.requests.map(({ modelo }) => modelo)).toEqual([
      'gemini-9-ultra',
      'gemini-flash-latest',
      'gemini-flash-latest',
    ])
  })

  it('adds the aviso to the next answer if the first attempt failed', async () => {
    const provedor = gemini()
    const { contaId } = pedido()
    const perguntar = () => provedor.answer(pedido({ contaId, modelo: 'gemini-9-ultra' }))
    falso.answerNext({ tipo: 'recusa' })
    expect((await perguntar()).avisos).toBeUndefined()
    expect(await perguntar()).toMatchObject({ tipo: 'texto', avisos: [expect.stringContaining('"gemini-9-ultra"')] })
    expect((await perguntar()).avisos).toBeUndefined()
  })

  it('rejects a modelo name that would change the URL', async () => {
    await gemini().answer(pedido({ modelo: '../../upload/x' }))
    expect(falso.requests.map(({ modelo }) => modelo)).toEqual(['gemini-flash-latest'])
  })

  it('lists modelos for text and checks a key', async () => {
    expect(await gemini().listModels(ACCESS)).toEqual([
      { id: 'gemini-2.5-flash', nome: 'gemini 2.5 flash' },
      { id: 'gemini-2.5-pro', nome: 'gemini 2.5 pro' },
      { id: 'gemini-flash-latest', nome: 'gemini flash latest' },
    ])
    expect(await gemini().listModels({ ...ACCESS, apiKey: 'errada' })).toBeNull()
    expect(await gemini().checkKey(ACCESS)).toBeNull()
    expect(await gemini().checkKey({ ...ACCESS, apiKey: 'errada' })).toBe('API Key inválida')
    const fora = createIa({ urls: { gemini: 'http://127.0.0.1:1' }, log: { warn: () => undefined }, backoffMs: 1 })
    expect(await fora.checkKey(ACCESS)).toMatch(/^Não foi possível conectar ao Gemini/)
  })
})
