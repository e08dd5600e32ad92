import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGemini } from '#adapters/gemini/gemini.ts'
import type { AiRequest, ProvedorIa } from '#ports/ai.ts'
import { ate } from '#test/bot/house.ts'
import { CHAVE_BOA, type Comportamento, createGeminiFalso, type GeminiFalso } from './gemini-falso.ts'

let falso: GeminiFalso
let avisos: object[]
let agora = 0
beforeAll(async () => {
  falso = await createGeminiFalso()
  // Loads the library now, so that its load time does not count in a test.
  await gemini().answer(pedido())
})
afterAll(() => falso.close())
beforeEach(() => {
  falso.esquecer()
  avisos = []
  agora = 1_000_000
})

/** `pressa`: very short timeout, for tests of a silent provider. */
function gemini({ pressa = false } = {}): ProvedorIa {
  return createGemini({
    baseUrl: `${falso.url}/`,
    log: { warn: (dados) => void avisos.push(dados) },
    recuoMs: 1,
    agora: () => agora,
    ...(pressa ? { timeoutMs: 1_000 } : {}),
  })
}

let contas = 0
function pedido(mais: Partial<AiRequest> = {}): AiRequest {
  contas += 1
  return {
    contaId: `conta-${contas}`,
    contatoId: 'ana',
    apiKey: CHAVE_BOA,
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
    procurarProdutos: (busca) => [{ nome: `achado por ${busca}`, preco: 'R$ 10,00' }],
    ...mais,
  }
}

const chamar = (nome: string, args: object): Comportamento => ({ tipo: 'ferramentas', chamadas: [{ nome, args }] })

describe('answer', () => {
  it('sends key, temperature, instructions, history and question in their fields', async () => {
    falso.proximas({ tipo: 'texto', texto: 'Custa R$ 10.', entrada: 321, saida: 12 })
    const historico = [
      { de: 'cliente', texto: 'oi' },
      { de: 'bot', texto: 'Olá!' },
    ] as const
    const resposta = await gemini().answer(pedido({ historico }))
    expect(resposta).toMatchObject({ tipo: 'texto', texto: 'Custa R$ 10.' })
    expect(resposta.registro).toMatchObject({ modelo: 'gemini-2.5-flash', tokensEntrada: 321, tokensSaida: 12 })
    const [enviado] = falso.pedidos
    expect(enviado?.chave).toBe(CHAVE_BOA)
    expect(enviado?.bruto).not.toContain(CHAVE_BOA)
    expect(enviado?.corpo.systemInstruction?.parts).toEqual([{ text: 'INSTRUÇÕES' }])
    expect(enviado?.corpo.generationConfig?.temperature).toBe(0.3)
    expect(enviado?.corpo.contents).toEqual([
      { role: 'user', parts: [{ text: 'oi' }] },
      { role: 'model', parts: [{ text: 'Olá!' }] },
      { role: 'user', parts: [{ text: 'quanto custa?' }] },
    ])
  })

  it('sends images and audio inline', async () => {
    const midias = [{ mimeType: 'image/png', bytes: new Uint8Array([1, 2, 3]) }]
    await gemini().answer(pedido({ midias }))
    expect(falso.pedidos[0]?.corpo.contents[0]?.parts).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'AQID' } },
      { text: 'quanto custa?' },
    ])
  })

  it('runs the product search for the model and records it', async () => {
    falso.proximas(chamar('procurar_produtos', { busca: 'caneca' }), { tipo: 'texto', texto: 'Temos!' })
    const resposta = await gemini().answer(pedido())
    expect(resposta).toMatchObject({ tipo: 'texto', texto: 'Temos!' })
    const ultimo = falso.pedidos[1]?.corpo.contents.at(-1)?.parts[0]?.functionResponse
    expect(JSON.stringify(ultimo)).toContain('achado por caneca')
    expect(resposta.registro).toMatchObject({
      ferramentas: [{ nome: 'procurar_produtos', pedido: '{"busca":"caneca"}' }],
      tokensEntrada: 200,
      tokensSaida: 20,
    })
    expect(resposta.registro?.ferramentas[0]?.resultado).toContain('achado por caneca')
  })

  it('transfers to an existing setor and reports an unknown one to the model', async () => {
    falso.proximas(chamar('transferir_para_setor', { setor: 'vendas' }))
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'transferir', setor: 'vendas' })
    falso.proximas(chamar('transferir_para_setor', { setor: 'diretoria' }), { tipo: 'texto', texto: 'Posso ajudar?' })
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'texto', texto: 'Posso ajudar?' })
    falso.proximas(chamar('apagar_tudo', {}), { tipo: 'texto', texto: 'Não posso.' })
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'texto', texto: 'Não posso.' })
  })

  it('offers the two tools, each only if it can be used', async () => {
    await gemini().answer(pedido())
    const nomes = [...JSON.stringify(falso.pedidos[0]?.corpo.tools).matchAll(/"name":"(\w+)"/g)].map(([, nome]) => nome)
    expect(new Set(nomes)).toEqual(new Set(['procurar_produtos', 'transferir_para_setor']))
    await gemini().answer(pedido({ setores: [], procurarProdutos: null }))
    expect(falso.pedidos[1]?.corpo.tools).toBeUndefined()
  })

  it('stops calling tools after at most four requests', async () => {
    falso.sempre(() => chamar('procurar_produtos', { busca: 'x' }))
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'falha' })
    expect(falso.pedidos.length).toBeLessThanOrEqual(4)
  })
})

describe('answer, failures', () => {
  it.each<[Comportamento, RegExp]>([
    [{ tipo: 'recusa' }, /se recusou/],
    [{ tipo: 'bloqueio' }, /se recusou/],
    [{ tipo: 'vazia' }, /vazio/],
    [{ tipo: 'lixo' }, /não se entende/],
    [{ tipo: 'enorme' }, /tamanho/],
    [{ tipo: 'desvio' }, /desvio/],
    [{ tipo: 'erro', status: 403, codigo: 'PERMISSION_DENIED' }, /API Key foi recusada/],
    [{ tipo: 'erro', status: 400, codigo: 'INVALID_ARGUMENT' }, /não aceitou a pergunta/],
  ])('%j returns a failure with a Portuguese reason without a retry', async (comportamento, motivo) => {
    falso.sempre(() => comportamento)
    const resposta = await gemini().answer(pedido())
    expect(resposta).toMatchObject({ tipo: 'falha', motivo: expect.stringMatching(motivo) })
    expect(falso.pedidos).toHaveLength(1)
  })

  it.each<[Comportamento, RegExp]>([
    [{ tipo: 'erro', status: 503, codigo: 'UNAVAILABLE' }, /com problemas/],
    [{ tipo: 'erro', status: 429, codigo: 'RESOURCE_EXHAUSTED' }, /limite de uso/],
    [{ tipo: 'corta' }, /conectar/],
  ])('%j is retried once', async (comportamento, motivo) => {
    falso.proximas(comportamento, { tipo: 'texto', texto: 'voltei' })
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'texto', texto: 'voltei' })
    falso.esquecer()
    falso.sempre(() => comportamento)
    expect(await gemini().answer(pedido())).toMatchObject({ tipo: 'falha', motivo: expect.stringMatching(motivo) })
    expect(falso.pedidos).toHaveLength(2)
  })

  it.each([{ tipo: 'nunca' }, { tipo: 'gotas' }] as const)(
    '%j ends after the timeout and closes the connection',
    async (comportamento) => {
      falso.sempre(() => comportamento)
      const resposta = await gemini({ pressa: true }).answer(pedido())
      expect(resposta).toMatchObject({ tipo: 'falha', motivo: expect.stringMatching(/demorou/) })
      expect(resposta.registro).toMatchObject({ tokensEntrada: 0, tokensSaida: 0 })
      await ate(() => falso.desistidas() === 1)
    },
  )

  it('keeps the key out of answers and logs', async () => {
    falso.sempre(() => ({ tipo: 'erro', status: 400, mensagem: `bad key ${CHAVE_BOA}` }))
    const provedor = gemini()
    const ditos = [
      await provedor.answer(pedido()),
      await provedor.answer(pedido({ apiKey: 'AIzaOutraChaveSecreta123' })),
      await provedor.conferirChave('AIzaOutraChaveSecreta123'),
      avisos,
    ]
    expect(JSON.stringify(ditos)).not.toMatch(/AIza/)
    expect(avisos.length).toBeGreaterThan(0)
  })

  it('ends immediately when its signal aborts', async () => {
    falso.sempre(() => ({ tipo: 'nunca' }))
    const desistencia = new AbortController()
    const resposta = gemini().answer(pedido(), desistencia.signal)
    await ate(() => falso.pedidos.length === 1)
    desistencia.abort()
    expect(await resposta).toMatchObject({ tipo: 'falha' })
    expect(avisos).toEqual([])
  })
})

describe('modelos', () => {
  it('replaces retired names with the current modelo', async () => {
    for (const modelo of ['gemini-pro', 'gemini-1.5-flash', 'gemini-1.5-pro']) {
      const resposta = await gemini().answer(pedido({ modelo }))
      expect(resposta.registro?.modelo).toBe('gemini-flash-latest')
      expect(resposta.avisos).toBeUndefined()
    }
    expect(falso.pedidos.map(({ modelo }) => modelo)).toEqual(Array(3).fill('gemini-flash-latest'))
  })

  it('falls back once from an unknown modelo, then skips it, with one aviso', async () => {
    const provedor = gemini()
    const { contaId } = pedido()
    const primeira = await provedor.answer(pedido({ contaId, modelo: 'gemini-9-ultra' }))
    expect(primeira).toMatchObject({ tipo: 'texto', avisos: [expect.stringContaining('"gemini-9-ultra"')] })
    const segunda = await provedor.answer(pedido({ contaId, modelo: 'gemini-9-ultra' }))
    expect(segunda.avisos).toBeUndefined()
    expect(falso.pedidos.map(({ modelo }) => modelo)).toEqual([
      'gemini-9-ultra',
      'gemini-flash-latest',
      'gemini-flash-latest',
    ])
  })

  it('adds the aviso to the next answer if the first attempt failed', async () => {
    const provedor = gemini()
    const { contaId } = pedido()
    const perguntar = () => provedor.answer(pedido({ contaId, modelo: 'gemini-9-ultra' }))
    falso.proximas({ tipo: 'recusa' })
    expect((await perguntar()).avisos).toBeUndefined()
    expect(await perguntar()).toMatchObject({ tipo: 'texto', avisos: [expect.stringContaining('"gemini-9-ultra"')] })
    expect((await perguntar()).avisos).toBeUndefined()
  })

  it('rejects a modelo name that would change the URL', async () => {
    await gemini().answer(pedido({ modelo: '../../upload/x' }))
    expect(falso.pedidos.map(({ modelo }) => modelo)).toEqual(['gemini-flash-latest'])
  })

  it('lists modelos for text and checks a key', async () => {
    expect(await gemini().modelos(CHAVE_BOA)).toEqual([
      { id: 'gemini-2.5-flash', nome: 'gemini 2.5 flash' },
      { id: 'gemini-2.5-pro', nome: 'gemini 2.5 pro' },
      { id: 'gemini-flash-latest', nome: 'gemini flash latest' },
    ])
    expect(await gemini().modelos('errada')).toBeNull()
    expect(await gemini().conferirChave(CHAVE_BOA)).toBeNull()
    expect(await gemini().conferirChave('errada')).toBe('API Key inválida')
    const fora = createGemini({ baseUrl: 'http://127.0.0.1:1', log: { warn: () => undefined }, recuoMs: 1 })
    expect(await fora.conferirChave(CHAVE_BOA)).toMatch(/^Não foi possível conectar ao Gemini/)
  })
})
