import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buscaRoute } from '@balcao/contract/routes/busca'
import { indexRound } from '#modules/busca/index.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import {
  connectBot,
  customerSays,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  sendAsCustomer,
} from '#test/builders.ts'

let app: TestApp
let dona: TestUser
let vera: TestUser
let vizinha: TestUser
let open = ''
let finished = ''

const BIANCA = '5511981236302'
const RAFAEL = '5511977000002'

async function search(quem: TestUser, q: string) {
  const answer = await quem.request('GET', `/busca?q=${encodeURIComponent(q)}`)
  expect(answer, `search of "${q}"`).toMatchObject({ status: 200 })
  return buscaRoute.response.parse(answer.body)
}

const protocoloOf = async (id: string): Promise<string> =>
  String((await app.sql('select protocolo from conversas where id = $1', [id]))[0]?.['protocolo'])

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  vizinha = await givenConta(app, 'Vizinha')
  vera = await givenOperador(app, dona, { nome: 'Vera', setores: ['vendas'] })
  await connectBot(dona)
  open = await givenWaitingCustomer(dona, BIANCA)
  await sendAsCustomer(dona, BIANCA, { nome: 'Bianca Araújo', texto: 'quero um bolo de chocolate' })
  finished = await givenWaitingCustomer(dona, RAFAEL)
  await sendAsCustomer(dona, RAFAEL, { nome: 'Rafael Nogueira', texto: 'o boleto venceu' })
  await dona.request('POST', `/atendimento/conversas/${finished}/transferir`, { setor: 'financeiro' })
  await dona.request('POST', `/atendimento/conversas/${finished}/assumir`)
  await dona.request('POST', `/atendimento/conversas/${finished}/finalizar`)
  await customerSays(dona, '5511977000003', 'bolo só para o bot')
  for (const nome of ['Bolo de cenoura', 'Pão de açúcar'])
    await dona.request('POST', '/produtos', { nome, descricao: 'x', preco: 32.5, ativo: true })
  await app.idle()
  await indexRound(app.deps, () => false)
})
afterAll(() => app.close())

describe('GET /busca', () => {
  it.each(['bianca', 'Araujo bian', '98123-6302', '(11) 98123-6302', '81236302'])(
    'finds the customer by %s',
    async (q) => {
      const { clientes } = await search(dona, q)
      expect(clientes).toMatchObject([
        { nome: 'Bianca Araújo', telefone: BIANCA, conversaId: open, status: 'aguardando' },
      ])
    },
  )

  it('answers more searches at once than the conta may have connections', async () => {
    const found = await Promise.all(Array.from({ length: 40 }, () => search(dona, 'chocolate bianca')))
    expect(new Set(found.map(({ mensagens }) => mensagens.length))).toEqual(new Set([1]))
  })

  it('finds a finished conversa by the customer and by its number', async () => {
    const protocolo = await protocoloOf(finished)
    const expected = { conversaId: finished, protocolo, cliente: 'Rafael Nogueira', status: 'finalizada' }
    expect((await search(dona, 'nogueira')).conversas).toEqual([expected])
    expect((await search(dona, protocolo)).conversas).toEqual([expected])
    expect((await search(dona, protocolo.replace('-', ''))).conversas).toEqual([expected])
  })

  it('marks a word that was searched with a typing error', async () => {
    const [first] = (await search(dona, 'chocolatte')).mensagens
    expect(first).toMatchObject({ conversaId: open, trecho: 'quero um bolo de chocolate' })
    expect(first?.marcas.map(([from, to]) => first.trecho.slice(from, to))).toEqual(['chocolate'])
  })

  it('returns no message for a found name', async () => {
    expect((await search(dona, 'bianca')).mensagens).toEqual([])
  })

  it('finds products without accents', async () => {
    expect((await search(dona, 'acucar')).produtos).toMatchObject([{ nome: 'Pão de açúcar', preco: 32.5 }])
  })

  it('shows an operador only readable conversas and no products', async () => {
    const { clientes, conversas, mensagens } = await search(vera, 'rafael')
    expect(clientes).toEqual([{ contatoId: expect.any(String), nome: 'Rafael Nogueira', telefone: RAFAEL }])
    expect([conversas, mensagens]).toEqual([[], []])
    expect((await search(vera, await protocoloOf(finished))).conversas).toEqual([])
    expect((await search(vera, 'boleto')).mensagens).toEqual([])
    expect((await search(vera, 'bolo')).produtos).toEqual([])
  })

  it('shows nothing of another conta', async () => {
    for (const q of ['bianca', 'chocolate', 'acucar', await protocoloOf(finished)])
      expect(await search(vizinha, q)).toEqual({ clientes: [], conversas: [], mensagens: [], produtos: [] })
  })

  it.each(['', '?q=', '?q=a', '?q=%20%20a%20', `?q=${'a'.repeat(201)}`])('rejects %s with 400', async (query) => {
    expect((await dona.request('GET', `/busca${query}`)).status).toBe(400)
  })

  it('returns nothing for a query without letter or digit', async () => {
    expect(await search(dona, '%_!?')).toEqual({ clientes: [], conversas: [], mensagens: [], produtos: [] })
  })
})
