import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { png } from '#test/midias/sample-files.ts'
import { APRESENTACAO, type IaApp, createIaApp, mensagemIdOf } from './ia-app.ts'
import { waitUntil } from '#test/app.ts'
import { formFile } from '#test/builders.ts'

const MENU = expect.stringMatching(/^MENU/)
let app: IaApp
beforeAll(async () => {
  app = await createIaApp()
})
afterAll(() => app.close())
beforeEach(() => app.fake.reset())

function segurar(texto = 'RESPOSTA'): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  app.fake.answerAlways(async () => {
    await promise
    return { tipo: 'texto', texto }
  })
  return resolve
}

async function semPerguntas(): Promise<void> {
  await waitUntil(async () => (await app.app.sql('select 1 from perguntas_ia')).length === 0)
}

describe('conversa with the AI', () => {
  it('answers each mensagem once after a gatilho, explains the answer and counts usage', async () => {
    const ana = app.newCustomer('Ana Lima')
    await ana.says('oi')
    app.fake.answerNext({ tipo: 'texto', texto: '**Temos** canecas.', entrada: 300, saida: 20 })
    await ana.says('quero falar com a assistente')
    expect(await ana.waitsFor('*Temos* canecas.')).toEqual(['OLA', MENU, '*Temos* canecas.'])
    await ana.says('e dois?')
    expect(await ana.waitsFor('ECO e dois?')).toHaveLength(4)
    await semPerguntas()
    expect(await ana.received()).toHaveLength(4)

    const id = await mensagemIdOf(app.request, '*Temos* canecas.')
    const { status, body } = await app.request('GET', `/gemini/respostas/${id}`)
    expect(status).toBe(200)
    expect(body['resposta']).toMatchObject({
      ...{ mensagemId: id, modelo: 'gemini-2.5-flash', temperatura: 0.7, pergunta: 'quero falar com a assistente' },
      ...{ resposta: '*Temos* canecas.', tokensEntrada: 300, tokensSaida: 20, ferramentas: [] },
      instrucoes: expect.stringContaining('Vendemos canecas.'),
    })
    expect((await (await app.loginOtherConta())('GET', `/gemini/respostas/${id}`)).status).toBe(404)
    const uso = await app.request('GET', '/gemini/uso')
    expect(uso.body).toMatchObject({ hoje: { perguntas: 2, tokensEntrada: 400, tokensSaida: 30 } })
  })

  it('sends the history with personal data hidden', async () => {
    const ana = app.newCustomer('Zoé')
    await ana.says('oi')
    await ana.says('meu e-mail é zoe@exemplo.com, assistente')
    await ana.waitsFor(/^ECO/)
    await ana.says('meu cpf é 529.982.247-25, ligue (11) 98765-4321')
    await ana.waitsFor('ECO meu cpf é [CPF oculto], ligue [telefone oculto]')
    const [, second] = app.fake.requests
    expect(second?.body.contents.map(({ role, parts }) => [role, parts[0]?.text])).toEqual([
      ['user', 'oi'],
      ['model', 'OLA'],
      ['model', MENU],
      ['user', 'meu e-mail é [e-mail oculto], assistente'],
      ['model', APRESENTACAO],
      ['model', 'ECO meu e-mail é [e-mail oculto], assistente'],
      ['user', 'meu cpf é [CPF oculto], ligue [telefone oculto]'],
    ])
    for (const { rawBody } of app.fake.requests) {
      expect(rawBody).not.toMatch(/zoe@exemplo|529\.982|98765/)
      expect(rawBody).not.toContain(ana.telefone)
    }
    expect(second?.body.systemInstruction?.parts[0]?.text).toContain('"primeiroNomeDoCliente": "Zoé"')
  })

  it('sends no history if lembrarContexto is off', async () => {
    await app.saveConfig((config) => ({
      ...config,
      ia: { ...config.ia, comportamentos: { ...config.ia.comportamentos, lembrarContexto: false } },
    }))
    const ana = app.newCustomer()
    await ana.says('assistente')
    await ana.waitsFor('ECO assistente')
    await ana.says('e agora?')
    await ana.waitsFor('ECO e agora?')
    expect(app.fake.requests.map(({ body: corpo }) => corpo.contents.length)).toEqual([1, 1])
    await app.saveConfig()
  })

  it('joins consecutive mensagens into one question and sends one answer', async () => {
    const release = segurar('UMA SÓ')
    const ana = app.newCustomer()
    await ana.says('assistente')
    await waitUntil(() => app.fake.requests.length === 1)
    await ana.says('quanto custa')
    await waitUntil(() => app.fake.requests.length === 2)
    await ana.says('a caneca azul?')
    await waitUntil(() => app.fake.requests.length === 3)
    release()
    expect(await ana.waitsFor('UMA SÓ')).toEqual(['OLA', 'UMA SÓ'])
    expect(app.fake.requests.map(({ pergunta }) => pergunta)).toEqual([
      'assistente',
      'assistente\nquanto custa',
      'assistente\nquanto custa\na caneca azul?',
    ])
    await semPerguntas()
    app.fake.answerNext({ tipo: 'texto', texto: 'A VERDE TAMBÉM' })
    await ana.says('obrigada, e a verde?')
    expect(await ana.waitsFor('A VERDE TAMBÉM')).toEqual(['OLA', 'UMA SÓ', 'A VERDE TAMBÉM'])
    expect(app.fake.requests.at(-1)?.pergunta).toBe('obrigada, e a verde?')
  })

  it('waits esperaSegundos after the last mensagem', async () => {
    await app.saveConfig((config) => ({ ...config, ia: { ...config.ia, esperaSegundos: 30 } }))
    const ana = app.newCustomer()
    await ana.says('oi')
    await ana.says('tem caneca?')
    const [wait] = await app.app.sql(
      `select extract(epoch from p.perguntar_em - m.criada_em)::int as segundos from perguntas_ia p
       join mensagens m on m.conta_id = p.conta_id and m.id = p.id where m.texto = 'tem caneca?'`,
    )
    expect(wait).toEqual({ segundos: 30 })
    expect(app.fake.requests).toEqual([])
    await app.app.sql('delete from perguntas_ia')
    await app.saveConfig()
  })

  it('drops the answer if the customer returned to the menu', async () => {
    const release = segurar('TARDE DEMAIS')
    const ana = app.newCustomer()
    await ana.says('assistente')
    await waitUntil(() => app.fake.requests.length === 1)
    await ana.says('menu')
    await ana.waitsFor(/^MENU/)
    release()
    await semPerguntas()
    await ana.says('1')
    expect(await ana.waitsFor('HORARIOS')).toEqual(['OLA', MENU, 'HORARIOS'])
  })

  it('drops the answer if a person opens the conversa meanwhile', async () => {
    const release = segurar('TARDE DEMAIS')
    const ana = app.newCustomer()
    await ana.says('assistente')
    await waitUntil(() => app.fake.requests.length === 1)
    const opened = await app.request('POST', '/atendimento/conversas', { telefone: ana.telefone, mensagem: 'PESSOA' })
    expect(opened.status).toBe(201)
    release()
    await semPerguntas()
    await ana.says('1')
    await app.app.idle()
    expect((await ana.waitsFor('PESSOA')).filter((texto) => texto === 'TARDE DEMAIS')).toEqual([])
  })

  it('transfers the conversa to the setor chosen by the model', async () => {
    app.fake.answerNext({
      tipo: 'ferramentas',
      chamadas: [{ nome: 'transferir_para_setor', args: { setor: 'vendas' } }],
    })
    const ana = app.newCustomer('Cliente de vendas')
    await ana.says('assistente')
    await ana.waitsFor('JA CHAMO')
    const { body } = await app.request('GET', '/atendimento/conversas')
    expect(body['conversas']).toContainEqual(
      expect.objectContaining({
        setor: 'vendas',
        status: 'aguardando',
        cliente: { nome: 'Cliente de vendas', telefone: ana.telefone },
      }),
    )
    await ana.says('alguém aí?')
    await app.app.idle()
    expect((await ana.received()).at(-1)).toBe('JA CHAMO')
  })

  it('falls back to another modelo and logs it for the owner', async () => {
    await app.saveConfig((config) => ({ ...config, ia: { ...config.ia, modeloGemini: 'gemini-9' } }))
    const ana = app.newCustomer()
    await ana.says('assistente')
    await ana.waitsFor('ECO assistente')
    const { body } = await app.request('GET', '/logs?tipo=warning')
    expect(JSON.stringify(body)).toContain('O Gemini não conhece o modelo \\"gemini-9\\"')
    await app.saveConfig()
  })
})

describe('circuit breaker with the bot', () => {
  it('opens after five failures, closes after the first answer and logs both once', async () => {
    app.fake.answerAlways(() => ({ tipo: 'erro', status: 403, codigo: 'PERMISSION_DENIED' }))
    for (let vez = 0; vez < 6; vez += 1) {
      const ana = app.newCustomer()
      await ana.says('assistente')
      await ana.waitsFor('NAO ENTENDI')
    }
    app.fake.reset()
    const test = () => app.request('POST', '/gemini/testar', { pergunta: 'voltou?' })
    expect((await test()).status).toBe(200)
    expect((await test()).status).toBe(200)
    const lines = await app.app.sql(
      `select tipo, mensagem from logs where mensagem ~ '^O Gemini (falhou|voltou)' order by id`,
    )
    expect(lines).toEqual([
      { tipo: 'error', mensagem: expect.stringContaining('falhou 5 vezes seguidas') },
      { tipo: 'success', mensagem: 'O Gemini voltou a responder. A IA está atendendo de novo.' },
    ])
    const ana = app.newCustomer()
    await ana.says('assistente')
    await ana.waitsFor('ECO assistente')
  })
})

describe('images in the conversa with the AI', () => {
  const bytes = png()
  const foto = (): File => formFile(bytes, 'caneca.png')
  const readMidia = (lerMidia: boolean): Promise<void> =>
    app.saveConfig((config) => ({ ...config, ia: { ...config.ia, lerMidia } }))
  afterAll(() => readMidia(false))

  it('sends no image until lerMidia is on, but answers the text', async () => {
    const ana = app.newCustomer()
    await ana.says('assistente')
    await ana.waitsFor('ECO assistente')
    await ana.shows(foto())
    await ana.waitsFor(/eu consigo ler mensagens de texto/)
    await ana.shows(foto(), 'tem igual?')
    await ana.waitsFor(/^ECO \[imagem que você não pode abrir\] tem igual\?/)
    expect(app.fake.requests.map(({ rawBody }) => rawBody.includes('inlineData'))).toEqual([false, false])

    await readMidia(true)
    await ana.shows(foto())
    await ana.waitsFor(/imagem em anexo/)
    expect(app.fake.requests[2]?.rawBody).toContain('inlineData')
  })

  it('sends an image to the model, with or without text', async () => {
    await readMidia(true)
    const ana = app.newCustomer()
    await ana.says('assistente')
    await ana.waitsFor('ECO assistente')
    await ana.shows(foto())
    await ana.waitsFor('ECO [imagem em anexo]')
    await ana.shows(foto(), 'tem igual?')
    await ana.waitsFor('ECO [imagem em anexo] tem igual?')
    const inlineData = { mimeType: 'image/png', data: bytes.toString('base64') }
    expect(app.fake.requests.slice(1).map(({ body: corpo }) => corpo.contents.at(-1)?.parts[0])).toEqual([
      { inlineData },
      { inlineData },
    ])
    // The history mentions the earlier image but does not send it again.
    expect(app.fake.requests[2]?.rawBody.match(/inlineData/g)).toHaveLength(1)
  })

  it('reads at most four images of a conta while further questions wait', async () => {
    await readMidia(true)
    const release = segurar()
    const read = vi.spyOn(app.app.deps.files, 'read')
    const customers = Array.from({ length: 20 }, () => app.newCustomer())
    for (const customer of customers) await customer.shows(foto(), 'assistente')
    await waitUntil(async () => (await app.app.sql('select 1 from perguntas_ia')).length === customers.length)
    await waitUntil(() => app.fake.requests.length === 4)
    expect(read).toHaveBeenCalledTimes(4)
    release()
    for (const customer of customers) await customer.waitsFor(/RESPOSTA|NAO ENTENDI/)
    expect(app.fake.requests.every(({ rawBody }) => rawBody.includes('inlineData'))).toBe(true)
    read.mockRestore()
  })

  it('replaces a deleted image with a note and answers the text', async () => {
    await readMidia(true)
    const release = segurar()
    const ana = app.newCustomer()
    await ana.says('assistente')
    await waitUntil(() => app.fake.requests.length === 1)
    await ana.shows(foto())
    await waitUntil(() => app.fake.requests.length === 2)
    await app.app.sql('delete from arquivos')
    await ana.says('tem esta?')
    await waitUntil(() => app.fake.requests.length === 3)
    release()
    await ana.waitsFor('RESPOSTA')
    expect(app.fake.requests.map(({ pergunta }) => pergunta)).toEqual([
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
  ] as const)('%j: answers the customer with naoEntendi, logs the reason and continues', async (failure, motivo) => {
    app.fake.answerNext(failure)
    const ana = app.newCustomer()
    await ana.says('assistente')
    expect(await ana.waitsFor('NAO ENTENDI')).toEqual(['OLA', 'NAO ENTENDI'])
    const { body } = await app.request('GET', '/logs?tipo=error')
    expect(JSON.stringify(body)).toContain(`A IA não respondeu a um cliente: ${motivo}`)
    await ana.says('e agora?')
    expect((await ana.waitsFor('ECO e agora?')).at(-1)).toBe('ECO e agora?')
    await semPerguntas()
  })

  it('does not delay other customers while requests hang', async () => {
    const release = segurar()
    const presos = Array.from({ length: 6 }, () => app.newCustomer())
    for (const stuck of presos) await stuck.says('assistente')
    await waitUntil(() => app.fake.requests.length === 4)
    const bia = app.newCustomer('Bia')
    await bia.says('oi')
    await bia.says('1')
    expect(await bia.waitsFor('HORARIOS')).toEqual(['OLA', MENU, 'HORARIOS'])
    release()
    for (const stuck of presos) expect(await stuck.waitsFor('RESPOSTA')).toEqual(['OLA', 'RESPOSTA'])
  })
})
