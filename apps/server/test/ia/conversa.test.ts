import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ate } from '#test/bot/house.ts'
import { png } from '#test/midias/amostras.ts'
import { arquivo } from '#test/midias/casa.ts'
import { type CasaIa, createCasaIa, idDaMensagem } from './casa-ia.ts'

const MENU = expect.stringMatching(/^MENU/)
let casa: CasaIa
beforeAll(async () => {
  casa = await createCasaIa()
})
afterAll(() => casa.close())
beforeEach(() => casa.falso.esquecer())

function segurar(texto = 'RESPOSTA'): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  casa.falso.sempre(async () => {
    await promise
    return { tipo: 'texto', texto }
  })
  return resolve
}

async function semPerguntas(): Promise<void> {
  await ate(async () => (await casa.casa.sql('select 1 from perguntas_ia')).length === 0)
}

describe('conversa with the AI', () => {
  it('answers each mensagem once after a gatilho, explains the answer and counts usage', async () => {
    const ana = casa.cliente('Ana Lima')
    await ana.diz('oi')
    casa.falso.proximas({ tipo: 'texto', texto: '**Custa** R$ 10.', entrada: 300, saida: 20 })
    await ana.diz('quero falar com a assistente')
    expect(await ana.ouve('*Custa* R$ 10.')).toEqual(['OLA', MENU, '*Custa* R$ 10.'])
    await ana.diz('e dois?')
    expect(await ana.ouve('ECO e dois?')).toHaveLength(4)
    await semPerguntas()
    expect(await ana.ouviu()).toHaveLength(4)

    const id = await idDaMensagem(casa.pedir, '*Custa* R$ 10.')
    const { status, body } = await casa.pedir('GET', `/gemini/respostas/${id}`)
    expect(status).toBe(200)
    expect(body['resposta']).toMatchObject({
      ...{ mensagemId: id, modelo: 'gemini-2.5-flash', temperatura: 0.7, pergunta: 'quero falar com a assistente' },
      ...{ resposta: '*Custa* R$ 10.', tokensEntrada: 300, tokensSaida: 20, ferramentas: [] },
      instrucoes: expect.stringContaining('Vendemos canecas.'),
    })
    expect((await (await casa.outraConta())('GET', `/gemini/respostas/${id}`)).status).toBe(404)
    const uso = await casa.pedir('GET', '/gemini/uso')
    expect(uso.body).toMatchObject({ hoje: { perguntas: 2, tokensEntrada: 400, tokensSaida: 30 } })
  })

  it('sends the history with personal data hidden', async () => {
    const ana = casa.cliente('Zoé')
    await ana.diz('oi')
    await ana.diz('meu e-mail é zoe@exemplo.com, assistente')
    await ana.ouve(/^ECO/)
    await ana.diz('meu cpf é 529.982.247-25 e o cartão 4111 1111 1111 1111')
    await ana.ouve('ECO meu cpf é [CPF oculto] e o cartão [cartão oculto]')
    const [, segundo] = casa.falso.pedidos
    expect(segundo?.corpo.contents.map(({ role, parts }) => [role, parts[0]?.text])).toEqual([
      ['user', 'oi'],
      ['model', 'OLA'],
      ['model', MENU],
      ['user', 'meu e-mail é [e-mail oculto], assistente'],
      ['model', 'ECO meu e-mail é [e-mail oculto], assistente'],
      ['user', 'meu cpf é [CPF oculto] e o cartão [cartão oculto]'],
    ])
    for (const { bruto } of casa.falso.pedidos) {
      expect(bruto).not.toMatch(/zoe@exemplo|529\.982|4111 1111/)
      expect(bruto).not.toContain(ana.telefone)
    }
    expect(segundo?.corpo.systemInstruction?.parts[0]?.text).toContain('"primeiroNomeDoCliente": "Zoé"')
  })

  it('sends no history if lembrarContexto is off', async () => {
    await casa.configurar((config) => ({
      ...config,
      ia: { ...config.ia, comportamentos: { ...config.ia.comportamentos, lembrarContexto: false } },
    }))
    const ana = casa.cliente()
    await ana.diz('assistente')
    await ana.ouve('ECO assistente')
    await ana.diz('e agora?')
    await ana.ouve('ECO e agora?')
    expect(casa.falso.pedidos.map(({ corpo }) => corpo.contents.length)).toEqual([1, 1])
    await casa.configurar()
  })

  it('joins consecutive mensagens into one question and sends one answer', async () => {
    const soltar = segurar('UMA SÓ')
    const ana = casa.cliente()
    await ana.diz('assistente')
    await ate(() => casa.falso.pedidos.length === 1)
    await ana.diz('quanto custa')
    await ate(() => casa.falso.pedidos.length === 2)
    await ana.diz('a caneca azul?')
    await ate(() => casa.falso.pedidos.length === 3)
    soltar()
    expect(await ana.ouve('UMA SÓ')).toEqual(['OLA', 'UMA SÓ'])
    expect(casa.falso.pedidos.map(({ pergunta }) => pergunta)).toEqual([
      'assistente',
      'assistente\nquanto custa',
      'assistente\nquanto custa\na caneca azul?',
    ])
    await semPerguntas()
    casa.falso.proximas({ tipo: 'texto', texto: 'A VERDE TAMBÉM' })
    await ana.diz('obrigada, e a verde?')
    expect(await ana.ouve('A VERDE TAMBÉM')).toEqual(['OLA', 'UMA SÓ', 'A VERDE TAMBÉM'])
    expect(casa.falso.pedidos.at(-1)?.pergunta).toBe('obrigada, e a verde?')
  })

  it('waits esperaSegundos after the last mensagem', async () => {
    await casa.configurar((config) => ({ ...config, ia: { ...config.ia, esperaSegundos: 30 } }))
    const ana = casa.cliente()
    await ana.diz('oi')
    await ana.diz('tem caneca?')
    const [espera] = await casa.casa.sql(
      `select extract(epoch from p.perguntar_em - m.criada_em)::int as segundos from perguntas_ia p
       join mensagens m on m.conta_id = p.conta_id and m.id = p.id where m.texto = 'tem caneca?'`,
    )
    expect(espera).toEqual({ segundos: 30 })
    expect(casa.falso.pedidos).toEqual([])
    await casa.casa.sql('delete from perguntas_ia')
    await casa.configurar()
  })

  it('drops the answer if the customer returned to the menu', async () => {
    const soltar = segurar('TARDE DEMAIS')
    const ana = casa.cliente()
    await ana.diz('assistente')
    await ate(() => casa.falso.pedidos.length === 1)
    await ana.diz('menu')
    await ana.ouve(/^MENU/)
    soltar()
    await semPerguntas()
    await ana.diz('1')
    expect(await ana.ouve('HORARIOS')).toEqual(['OLA', MENU, 'HORARIOS'])
  })

  it('transfers the conversa to the setor chosen by the model', async () => {
    casa.falso.proximas({
      tipo: 'ferramentas',
      chamadas: [{ nome: 'transferir_para_setor', args: { setor: 'vendas' } }],
    })
    const ana = casa.cliente('Cliente de vendas')
    await ana.diz('assistente')
    await ana.ouve('JA CHAMO')
    const { body } = await casa.pedir('GET', '/atendimento/conversas')
    expect(body['conversas']).toContainEqual(
      expect.objectContaining({
        setor: 'vendas',
        status: 'aguardando',
        cliente: { nome: 'Cliente de vendas', telefone: ana.telefone },
      }),
    )
    await ana.diz('alguém aí?')
    await casa.casa.ocioso()
    expect((await ana.ouviu()).at(-1)).toBe('JA CHAMO')
  })

  it('falls back to another modelo and logs it for the owner', async () => {
    await casa.configurar((config) => ({ ...config, ia: { ...config.ia, modeloGemini: 'gemini-9' } }))
    const ana = casa.cliente()
    await ana.diz('assistente')
    await ana.ouve('ECO assistente')
    const { body } = await casa.pedir('GET', '/logs?tipo=warning')
    expect(JSON.stringify(body)).toContain('O Gemini não conhece o modelo \\"gemini-9\\"')
    await casa.configurar()
  })
})

describe('circuit breaker with the bot', () => {
  it('opens after five failures, closes after the first answer and logs both once', async () => {
    casa.falso.sempre(() => ({ tipo: 'erro', status: 403, codigo: 'PERMISSION_DENIED' }))
    for (let vez = 0; vez < 6; vez += 1) {
      const ana = casa.cliente()
      await ana.diz('assistente')
      await ana.ouve('NAO ENTENDI')
    }
    casa.falso.esquecer()
    const testar = () => casa.pedir('POST', '/gemini/testar', { pergunta: 'voltou?' })
    expect((await testar()).status).toBe(200)
    expect((await testar()).status).toBe(200)
    const linhas = await casa.casa.sql(
      `select tipo, mensagem from logs where mensagem ~ '^O Gemini (falhou|voltou)' order by id`,
    )
    expect(linhas).toEqual([
      { tipo: 'error', mensagem: expect.stringContaining('falhou 5 vezes seguidas') },
      { tipo: 'success', mensagem: 'O Gemini voltou a responder. A IA está atendendo de novo.' },
    ])
    const ana = casa.cliente()
    await ana.diz('assistente')
    await ana.ouve('ECO assistente')
  })
})

describe('images in the conversa with the AI', () => {
  const bytes = png()
  const foto = (): File => arquivo(bytes, 'caneca.png')

  it('sends an image to the model, with or without text', async () => {
    const ana = casa.cliente()
    await ana.diz('assistente')
    await ana.ouve('ECO assistente')
    await ana.mostra(foto())
    await ana.ouve('ECO [imagem em anexo]')
    await ana.mostra(foto(), 'tem igual?')
    await ana.ouve('ECO [imagem em anexo] tem igual?')
    const inlineData = { mimeType: 'image/png', data: bytes.toString('base64') }
    expect(casa.falso.pedidos.slice(1).map(({ corpo }) => corpo.contents.at(-1)?.parts[0])).toEqual([
      { inlineData },
      { inlineData },
    ])
    // The history mentions the earlier image but does not send it again.
    expect(casa.falso.pedidos[2]?.bruto.match(/inlineData/g)).toHaveLength(1)
  })

  it('replaces a deleted image with a note and answers the text', async () => {
    const soltar = segurar()
    const ana = casa.cliente()
    await ana.diz('assistente')
    await ate(() => casa.falso.pedidos.length === 1)
    await ana.mostra(foto())
    await ate(() => casa.falso.pedidos.length === 2)
    await casa.casa.sql('delete from arquivos')
    await ana.diz('tem esta?')
    await ate(() => casa.falso.pedidos.length === 3)
    soltar()
    await ana.ouve('RESPOSTA')
    expect(casa.falso.pedidos.map(({ pergunta }) => pergunta)).toEqual([
      'assistente',
      'assistente\n[imagem em anexo]',
      'assistente\n[imagem que você não pode abrir]\ntem esta?',
    ])
  })
})

describe('failing AI', () => {
  it.each([
    [{ tipo: 'erro', status: 403 }, 'a API Key foi recusada pelo Gemini'],
    [{ tipo: 'recusa' }, 'o Gemini se recusou a responder'],
    [{ tipo: 'lixo' }, 'o Gemini respondeu algo'],
    [{ tipo: 'texto', texto: '```tool_code\nprint(1)\n```' }, 'a resposta veio vazia'],
  ] as const)('%j: answers the customer with naoEntendi, logs the reason and continues', async (falha, motivo) => {
    casa.falso.proximas(falha)
    const ana = casa.cliente()
    await ana.diz('assistente')
    expect(await ana.ouve('NAO ENTENDI')).toEqual(['OLA', 'NAO ENTENDI'])
    const { body } = await casa.pedir('GET', '/logs?tipo=error')
    expect(JSON.stringify(body)).toContain(`A IA não respondeu a um cliente: ${motivo}`)
    await ana.diz('e agora?')
    expect((await ana.ouve('ECO e agora?')).at(-1)).toBe('ECO e agora?')
    await semPerguntas()
  })

  it('does not delay other customers while requests hang', async () => {
    const soltar = segurar()
    const presos = Array.from({ length: 6 }, () => casa.cliente())
    for (const preso of presos) await preso.diz('assistente')
    await ate(() => casa.falso.pedidos.length === 4)
    const bia = casa.cliente('Bia')
    await bia.diz('oi')
    await bia.diz('1')
    expect(await bia.ouve('HORARIOS')).toEqual(['OLA', MENU, 'HORARIOS'])
    soltar()
    for (const preso of presos) expect(await preso.ouve('RESPOSTA')).toEqual(['OLA', 'RESPOSTA'])
  })
})
