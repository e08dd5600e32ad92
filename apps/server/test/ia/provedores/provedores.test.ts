import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import {
  chatOf,
  formFile,
  getConfig,
  givenConta,
  givenWaitingCustomer,
  saveConfig,
  sendAsCustomer,
  startBot,
} from '#test/builders.ts'
import { ogg } from '#test/midias/sample-files.ts'
import { createProduto } from '#test/produtos/loja-requests.ts'
import {
  createFakeVendor,
  type FakeVendor,
  type VendorBehaviour,
  vendorKey,
  vendorModels,
  type VendorName,
} from './fake-vendors.ts'

const VENDORS = ['openai', 'anthropic', 'compativel'] as const
const NAMES = { openai: 'a OpenAI', anthropic: 'a Anthropic', compativel: 'o provedor próprio' } as const

let fakes: Record<VendorName, FakeVendor>
let app: TestApp
beforeAll(async () => {
  fakes = {
    openai: await createFakeVendor('openai'),
    anthropic: await createFakeVendor('anthropic'),
    compativel: await createFakeVendor('compativel'),
  }
  app = await createTestApp({
    ...{ openaiUrl: fakes.openai.url, anthropicUrl: fakes.anthropic.url },
    settings: { iaLoopback: true },
  })
})
afterAll(async () => {
  await app.close()
  await Promise.all(VENDORS.map((name) => fakes[name].close()))
})

function withVendor(name: VendorName, apiKey = vendorKey(name)) {
  return (config: Config): Config => ({
    ...config,
    ia: {
      ...config.ia,
      ...{ ativa: true, provedor: name, modeloGemini: vendorModels(name)[0] ?? '', esperaSegundos: 0 },
      chaves: { ...config.ia.chaves, [name]: apiKey },
      urlBase: name === 'compativel' ? `${fakes.compativel.url}/v1` : '',
      ...{ promptTreinamento: 'Vendemos canecas.', apresentacao: 'Sou a IA da {empresa}.' },
      respostasPredefinidas: { ...config.ia.respostasPredefinidas, naoEntendi: 'NAO ENTENDI' },
    },
  })
}

let phones = 0
/** A conta whose AI asks this vendor. */
async function givenShop(name: VendorName): Promise<TestUser> {
  const shop = await givenConta(app, 'Dona', { empresa: 'Aurora' })
  await saveConfig(shop, withVendor(name))
  return shop
}

const test = (shop: TestUser, ia: object = {}) =>
  shop.request('POST', '/gemini/testar', { pergunta: 'quanto custa a caneca?', ia })
const logsOf = async (shop: TestUser): Promise<string> =>
  (await app.sql('select mensagem from logs where conta_id = $1', [shop.contaId]))
    .map(({ mensagem }) => String(mensagem))
    .join('\n')

describe.each(VENDORS)('%s', (name) => {
  it('answers a customer with the product search, after its presentation, and counts the tokens', async () => {
    const shop = await givenShop(name)
    await createProduto(shop, { nome: 'Caneca azul', preco: 35 })
    await startBot(shop)
    const telefone = `5511984${String((phones += 1)).padStart(6, '0')}`
    const says = (texto: string) => sendAsCustomer(shop, telefone, { nome: 'Ana', texto })
    fakes[name].requests.length = 0
    fakes[name].answerNext(
      { tipo: 'ferramenta', nome: 'procurar_produtos', args: { busca: 'caneca' } },
      { tipo: 'texto', texto: 'A **caneca** custa R$ 35,00.', entrada: 300, saida: 20 },
    )
    await says('oi')
    await says('assistente')
    const texts = await waitUntil(async () => {
      const said = (await chatOf(shop, telefone)).filter(({ de }) => de === 'bot').map(({ texto }) => texto)
      return said.at(-1)?.startsWith('A *caneca*') === true ? said : null
    })
    expect(texts.slice(-2)).toEqual(['Sou a IA da Aurora.', 'A *caneca* custa R$ 35,00.'])
    const [first, second] = fakes[name].requests
    expect(first?.body).toContain('Vendemos canecas.')
    expect(first?.body).toContain('transferir_para_setor')
    expect(`${first?.body}${second?.body}`).not.toContain(vendorKey(name))
    expect(second?.body).toContain('Caneca azul')
    if (name === 'openai') expect(first?.body).toContain('"store":false')
    const { body: uso } = await shop.request('GET', '/gemini/uso')
    expect(uso).toMatchObject({ hoje: { perguntas: 1, tokensEntrada: 400, tokensSaida: 30 } })
  })

  it('names the provider when it refuses the key, has no quota or is down', async () => {
    const shop = await givenShop(name)
    const refused = await test(shop, { chaves: { openai: 'x', anthropic: 'x', compativel: 'x' } })
    const by = NAMES[name].replace(/^a /, 'pela ').replace(/^o /, 'pelo ')
    expect(refused).toMatchObject({
      ...{ status: 502, body: { codigo: 'iaFalhou' } },
      body: { erro: `A IA não respondeu: a API Key foi recusada ${by}, confira-a na aba IA.` },
    })
    for (const [tipo, motivo] of [
      ['semCredito', /o limite de uso da API Key n[ao] .+ foi atingido/],
      ['cota', /o limite de uso/],
      ['fora', new RegExp(`${NAMES[name]} está com problemas`)],
    ] as const) {
      // The second one is for the repetition of a busy provider.
      fakes[name].answerNext({ tipo }, { tipo })
      expect((await test(shop)).body['erro']).toMatch(motivo)
      while ((await test(shop)).status !== 200);
    }
  })

  it('checks a key and lists the models of the provider', async () => {
    const shop = await givenShop(name)
    const check = async (apiKey: string) =>
      (await shop.request('POST', '/gemini/validar', { provedor: name, apiKey })).body
    expect(await check('••••••••')).toEqual({ valida: true })
    expect(await check('errada')).toEqual({ valida: false, erro: 'API Key inválida' })
    const { body } = await shop.request('GET', `/gemini/modelos?provedor=${name}`)
    const ids = {
      openai: ['gpt-6-luna', 'gpt-6-sol'],
      anthropic: vendorModels('anthropic'),
      compativel: vendorModels('compativel'),
    }
    expect(body).toMatchObject({ doProvedor: true, modelos: ids[name].map((id) => ({ id })) })
    expect(fakes[name].listKeys).toContain(vendorKey(name))
    // A request without a provider means Gemini, which has no key here.
    expect((await shop.request('GET', '/gemini/modelos')).body).toMatchObject({ doProvedor: false })
  })
})

describe('voice notes', () => {
  async function givenVoice(name: VendorName, ...answers: VendorBehaviour[]) {
    const shop = await givenShop(name)
    await saveConfig(shop, (config) => ({ ...config, ia: { ...config.ia, transcrever: true } }))
    await startBot(shop)
    const telefone = `5511985${String((phones += 1)).padStart(6, '0')}`
    const conversaId = await givenWaitingCustomer(shop, telefone)
    fakes[name].requests.length = 0
    fakes[name].answerNext(...answers)
    const arquivo = formFile(ogg(), 'voz.ogg', 'audio/ogg')
    expect((await sendAsCustomer(shop, telefone, { nome: 'Ana', arquivo })).status).toBe(202)
    const transcricao = async () => {
      const { body } = await shop.request('GET', `/atendimento/conversas/${conversaId}/mensagens`)
      return mensagensDaConversaRoute.response.parse(body).mensagens.at(-1)?.transcricao
    }
    return { shop, transcricao }
  }

  it('are written down by OpenAI, and cost what its model for audio costs', async () => {
    const said = { tipo: 'texto', texto: ' Tem bolo hoje? ', entrada: 4_000, saida: 200 } as const
    const { shop, transcricao } = await givenVoice('openai', said)
    await waitUntil(async () => (await transcricao())?.estado === 'pronta')
    expect(await transcricao()).toEqual({ texto: 'Tem bolo hoje?', estado: 'pronta' })
    const [request] = fakes.openai.requests
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data/)
    expect(request?.body).toContain('filename="audio.ogg"')
    expect(request?.body).not.toContain(vendorKey('openai'))
    const { body } = await shop.request('GET', '/gemini/uso')
    expect(body).toMatchObject({ hoje: { tokensEntrada: 4_000, tokensSaida: 200 } })
    // 4,000 × $1.25 and 200 × $5 for a million tokens, at R$ 6.00.
    const [spent] = await app.sql('select custo::int as custo from gastos_ia where conta_id = $1', [shop.contaId])
    expect(spent).toEqual({ custo: 3_600_000 })
  })

  it('stay audio at a provider that does not hear', async () => {
    const { transcricao } = await givenVoice('anthropic')
    await app.idle()
    expect(await transcricao()).toBeUndefined()
    expect(fakes.anthropic.requests).toEqual([])
  })
})

describe('a model that the provider does not know', () => {
  it.each(['openai', 'anthropic'] as const)('is replaced at %s, with one notice in the log', async (name) => {
    const shop = await givenShop(name)
    const modeloGemini = name === 'openai' ? 'gpt-3' : 'claude-1'
    await saveConfig(shop, (config) => ({ ...config, ia: { ...config.ia, modeloGemini } }))
    fakes[name].requests.length = 0
    expect((await test(shop)).status).toBe(200)
    expect((await test(shop)).status).toBe(200)
    const current = vendorModels(name)[0]
    expect(fakes[name].requests.map(({ modelo }) => modelo)).toEqual([modeloGemini, current, current])
    const notice = `não conhece o modelo "${modeloGemini}". A IA respondeu com ${current}`
    expect((await logsOf(shop)).split(notice)).toHaveLength(2)
  })

  it('fails at a compatible host, which has no other', async () => {
    const shop = await givenShop('compativel')
    const { status, body } = await test(shop, { modeloGemini: 'mistral' })
    expect([status, body['erro']]).toEqual([
      ...[502, 'A IA não respondeu: o provedor próprio não conhece o modelo escolhido.'],
    ])
  })
})

describe('compatible hosts', () => {
  const save = async (shop: TestUser, ia: Partial<Config['ia']>) => {
    const config = await getConfig(app, shop)
    return shop.request('PUT', '/config', { ...config, ia: { ...config.ia, ...ia } })
  }
  const own = { provedor: 'compativel', ativa: true, modeloGemini: 'llama3.1:8b' } as const

  it('belong to the administrator, as names without address or scheme', async () => {
    expect((await app.request('GET', '/admin/ia')).body).toEqual({ hosts: [] })
    for (const host of ['10.0.0.5', 'localhost', 'https://x.test', 'x.test/v1', '[::1]', 'x.test:99999', 'a b.test']) {
      expect((await app.request('PUT', '/admin/ia', { hosts: [host] })).status).toBe(400)
    }
    const hosts = ['ollama.interno', 'ia.exemplo.com:8443']
    const saved = await app.request('PUT', '/admin/ia', { hosts: ['Ollama.interno:443', ...hosts] })
    expect(saved).toMatchObject({ status: 200, body: { hosts } })
    const shop = await givenConta(app)
    expect((await shop.request('GET', '/admin/ia')).status).toBe(403)
    const [act] = await app.sql(`select detalhe from auditoria where acao = 'hostsIaAlterados'`)
    expect(act?.['detalhe']).toBe('+ ollama.interno, + ia.exemplo.com:8443')
  })

  it('are taken from the list only, over https, and keep their key to themselves', async () => {
    const shop = await givenConta(app)
    const refused = [
      'http://ollama.interno/v1',
      'https://outro.interno/v1',
      'https://a@ollama.interno',
      'https://10.0.0.5/v1',
    ]
    for (const urlBase of refused) {
      const { status, body } = await save(shop, { ...own, urlBase })
      expect([status, body['detalhes']]).toEqual([400, [expect.objectContaining({ caminho: 'ia.urlBase' })]])
    }
    expect((await save(shop, { ...own, urlBase: '' })).body['detalhes']).toMatchObject([{ caminho: 'ia.urlBase' }])
    const chaves = { openai: '', anthropic: '', compativel: 'own-secret-key-4455' }
    expect((await save(shop, { ...own, urlBase: 'https://ollama.interno/v1', chaves })).status).toBe(200)
    const moved = await save(shop, { urlBase: 'https://ia.exemplo.com:8443/v1' })
    expect(moved.body['detalhes']).toMatchObject([{ caminho: 'ia.chaves.compativel' }])
    const retyped = await save(shop, { urlBase: 'https://ia.exemplo.com:8443/v1', chaves })
    expect(retyped.status).toBe(200)
    // Neither does a test send the stored key to another host.
    fakes.compativel.listKeys.length = 0
    const apiKey = '••••••••4455'
    await shop.request('POST', '/gemini/validar', {
      provedor: 'compativel',
      urlBase: `${fakes.compativel.url}/v1`,
      apiKey,
    })
    expect(fakes.compativel.listKeys).toEqual([''])
  })

  it('are not asked after the administrator removed them', async () => {
    const shop = await givenConta(app)
    await app.request('PUT', '/admin/ia', { hosts: ['ollama.interno'] })
    expect((await save(shop, { ...own, urlBase: 'https://ollama.interno/v1' })).status).toBe(200)
    await app.request('PUT', '/admin/ia', { hosts: [] })
    expect((await test(shop)).body['erro']).toBe(
      'A IA não respondeu: o endereço do provedor próprio não está entre os permitidos pelo administrador.',
    )
    // Its other settings can still be saved.
    expect((await save(shop, { temperaturaResposta: 0.2 })).status).toBe(200)
  })
})

describe('apresentacao', () => {
  it('cannot be empty while the AI is on', async () => {
    const shop = await givenShop('openai')
    const config = await getConfig(app, shop)
    const { status, body } = await shop.request('PUT', '/config', {
      ...config,
      ia: { ...config.ia, apresentacao: ' ' },
    })
    expect([status, body['detalhes']]).toEqual([400, [expect.objectContaining({ caminho: 'ia.apresentacao' })]])
    const off = { ...config, ia: { ...config.ia, apresentacao: '', ativa: false } }
    expect((await shop.request('PUT', '/config', off)).status).toBe(200)
  })
})
