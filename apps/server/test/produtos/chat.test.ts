import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import type { MensagemSimulada } from '@balcao/contract/entities/simulador'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { VALID_KEY, createFakeGemini, type FakeGemini } from '#test/ia/fake-gemini.ts'
import { testPicture } from './test-pictures.ts'
import { SAMPLE_PRODUTO, formWithPicture, createProduto, produtoFrom } from './loja-requests.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, givenConta } from '#test/builders.ts'

const DIA_MS = 86_400_000
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

let app: TestApp
let falso: FakeGemini
let dona: TestUser
let telefones = 0
beforeAll(async () => {
  falso = await createFakeGemini()
  app = await createTestApp({ geminiUrl: falso.url })
  dona = await givenConta(app, 'Ana')
  await connectBot(dona)
})
afterAll(async () => {
  await app.close()
  await falso.close()
})

/** Returns a function that sends one text and waits for the given number of answers. */
function cliente() {
  telefones += 1
  const telefone = `1197000${String(telefones).padStart(4, '0')}`
  const ouvidas = async () => (await chatOf(dona, telefone)).filter(({ de }) => de === 'bot')
  return async (texto: string, respostas = 1): Promise<MensagemSimulada[]> => {
    const before = (await ouvidas()).length
    await dona.request('POST', '/simulador/mensagens', { telefone, nome: 'Duda', texto })
    const everything = await waitUntil(async () => {
      const agora = await ouvidas()
      return agora.length >= before + respostas ? agora : null
    })
    expect(everything).toHaveLength(before + respostas)
    return everything.slice(before)
  }
}

describe('loja in the chat', () => {
  it('pages, shows a produto with its picture and reports removed ones', async () => {
    const png = await testPicture(64, 48).png().toBuffer()
    const fields = { ...SAMPLE_PRODUTO, preco: '1234.5', linkCheckout: 'https://pag.test/caneca' }
    const caneca = produtoFrom(await dona.request('POST', '/produtos', formWithPicture(png, fields)))
    for (let i = 2; i <= 9; i += 1) await createProduto(dona, { nome: `Produto ${i}` })
    await createProduto(dona, { nome: 'Escondido', ativo: false })

    const diz = cliente()
    await diz('oi', 2)
    const [, lista] = await diz('3', 2)
    expect(lista?.texto).toMatch(/^\*1\* - Caneca azul · R\$ 1\.234,50\n\*2\* - Produto 2/)
    expect(lista?.texto).toContain('*8* - Produto 8')
    expect(lista?.texto).not.toContain('Produto 9')
    const [second] = await diz('mais')
    expect(second?.texto).toMatch(/^\*9\* - Produto 9/)
    expect(second?.texto).not.toContain('Escondido')

    const [detail] = await diz('1')
    expect(detail).toMatchObject({ imagemUrl: caneca.imagemUrl })
    expect(detail?.texto).toMatch(
      /^\*Caneca azul\*\n\n.*\n\n💰 R\$ 1\.234,50\n\n🛒 Comprar: https:\/\/pag\.test\/caneca/,
    )
    expect((await fetch(`${app.url}${caneca.imagemUrl}`)).headers.get('content-type')).toBe('image/webp')

    await dona.request('PUT', `/produtos/${caneca.id}`, { ativo: false })
    const [aviso, deNovo] = await diz('1', 2)
    expect(aviso?.texto).toContain('*Caneca azul* não está disponível no momento')
    expect(deNovo?.texto).toMatch(/^\*9\* - Produto 9/)
    await dona.request('PUT', `/produtos/${caneca.id}`, { ativo: true, preco: 10 })
    expect((await diz('1'))[0]?.texto).toContain('R$ 10,00')
    await dona.request('DELETE', `/produtos/${caneca.id}`)
    expect((await diz('1', 2))[0]?.texto).toContain('*Caneca azul* não está disponível no momento')
    expect((await diz('2'))[0]?.texto).toContain('*Produto 2*')
    // A picture in the chat stays without counting against the loja's quota until the chat is deleted.
    expect((await fetch(`${app.url}${caneca.imagemUrl}`)).status).toBe(200)
    expect(await app.sql(`select uso from arquivos`)).toEqual([{ uso: 'historico' }])
    const after = { ...app.deps, clock: { now: () => new Date(Date.now() + 2 * DIA_MS) } }
    expect(await sweepArquivos(after)).toBe(0)
    await app.sql('delete from mensagens where midia is not null')
    expect(await sweepArquivos(after)).toBe(2)
    expect((await fetch(`${app.url}${caneca.imagemUrl}`)).status).toBe(404)
  })

  it('lists produtos in the owner’s order', async () => {
    const { produtos } = z
      .object({ produtos: z.array(z.object({ id: z.string() })) })
      .parse((await dona.request('GET', '/produtos')).body)
    const contrario = produtos.toReversed().map(({ id }, ordem) => ({ id, ordem }))
    await dona.request('PUT', '/produtos/ordem', { produtos: contrario })
    const diz = cliente()
    await diz('oi', 2)
    const [, lista] = await diz('3', 2)
    expect(lista?.texto).toMatch(/^\*1\* - Produto 9 · .*\n\*2\* - Produto 8/)
    expect((await dona.request('GET', '/produtos/menu')).body['menu']).toBe(lista?.texto)
  })
})

describe('AI assistant', () => {
  it('sees only active produtos in its instructions and its search', async () => {
    const { config } = configRespostaSchema.parse((await dona.request('GET', '/config')).body)
    const ia = { ...config.ia, ativa: true, apiKey: VALID_KEY }
    expect((await dona.request('PUT', '/config', { ...config, gemini: { apiKey: VALID_KEY }, ia })).status).toBe(200)
    const chaleira = await createProduto(dona, {
      nome: 'Chaleira',
      preco: 89.9,
      linkCheckout: 'https://pag.test/chaleira',
    })
    const perguntar = async () => {
      falso.reset()
      falso.answerNext(
        { tipo: 'ferramentas', chamadas: [{ nome: 'procurar_produtos', args: { busca: 'chaleira' } }] },
        { tipo: 'texto', texto: 'Veja só.' },
      )
      expect((await dona.request('POST', '/gemini/testar', { pergunta: 'tem chaleira?' })).status).toBe(200)
      const [first, segundo] = falso.requests
      const instrucoes = first?.body.systemInstruction?.parts.map(({ text }) => text).join('') ?? ''
      const found = segundo?.body.contents.at(-1)?.parts[0]?.functionResponse?.response
      return { instrucoes, achado: JSON.stringify(found) }
    }
    const before = await perguntar()
    expect(before.instrucoes).toContain('"Chaleira"')
    expect(before.achado).toContain('R$ 89,90')
    expect(before.achado).toContain('https://pag.test/chaleira')
    expect(before.achado).not.toContain('Escondido')

    await dona.request('PUT', `/produtos/${chaleira.id}`, { ativo: false })
    const after = await perguntar()
    expect(after.instrucoes).not.toContain('Chaleira')
    expect(after.achado).not.toContain('Chaleira')
  })
})
