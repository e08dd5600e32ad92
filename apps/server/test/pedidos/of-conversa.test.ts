import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type Pedido, pedidoSchema } from '@balcao/contract/entities/pedido'
import { contatosComBotList, conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { carrinhoRoute, pedidosRoute } from '@balcao/contract/routes/pedidos'
import { type Answer, createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import {
  connectBot,
  customerSays,
  getConfig,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  openConversas,
  setComponentes,
} from '#test/builders.ts'
import { createSockets } from '#test/realtime/sockets.ts'

/** Orders beside the chat: those of its customer, the cart of the dialogue and the message of a made order. */

let app: TestApp
let dona: TestUser
let otto: TestUser
let coxinha: string
let sockets: ReturnType<typeof createSockets>

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  otto = await givenOperador(app, dona)
  await connectBot(dona, (config) => ({ ...config, loja: { ...config.loja, pedidos: true, retirada: true } }))
  const { body } = await dona.request('POST', '/produtos', { nome: 'Coxinha', descricao: 'De frango', preco: 5 })
  coxinha = z.object({ produto: z.object({ id: z.string() }) }).parse(body).produto.id
  sockets = createSockets(app.url)
})
afterAll(async () => {
  sockets?.close()
  await app?.close()
})

const pedidoOf = ({ body }: Answer): Pedido => z.object({ pedido: pedidoSchema }).parse(body).pedido

async function order(conversaId: string, person = otto): Promise<Pedido> {
  const answer = await person.request('POST', '/pedidos', {
    ...{ conversaId, itens: [{ produtoId: coxinha, quantidade: 2 }] },
    ...{ entrega: { tipo: 'retirada' }, pagamento: { forma: 'dinheiro' } },
  })
  expect(answer.status).toBe(201)
  return pedidoOf(answer)
}

const listOf = async (contatoId: string, person = otto) =>
  pedidosRoute.response.parse((await person.request('GET', `/pedidos?contatoId=${contatoId}`)).body).pedidos

const carrinhoOf = async (conversaId: string, person = otto) =>
  carrinhoRoute.response.parse((await person.request('GET', `/atendimento/conversas/${conversaId}/carrinho`)).body)
    .carrinho

const conversaOf = async (id: string) =>
  conversaHumanaRoute.response.parse((await otto.request('GET', `/atendimento/conversas/${id}`)).body).conversa

const TO_SHOP = ['oi', '3'] as const

/** A customer who wrote to the shop and then asked for a person. */
async function givenServedCustomer(telefone: string, ...texts: readonly string[]): Promise<string> {
  await customerSays(dona, telefone, ...TO_SHOP, ...texts, 'atendente')
  return waitUntil(async () => {
    const found = (await openConversas(dona)).find(({ cliente }) => cliente.telefone === telefone)
    return found?.id ?? null
  })
}

describe('GET /pedidos?contatoId=', () => {
  it('lists the orders of one customer, newest first, and nothing for other ids', async () => {
    const ana = await givenWaitingCustomer(dona, '5511977770001')
    const bia = await givenWaitingCustomer(dona, '5511977770002')
    const first = await order(ana)
    const other = await order(bia)
    const second = await order(ana)
    expect((await listOf(first.contatoId)).map(({ id }) => id)).toEqual([second.id, first.id])
    expect((await listOf(other.contatoId)).map(({ id }) => id)).toEqual([other.id])
    for (const unknown of ['nada', app.deps.ids.uuid()]) expect(await listOf(unknown)).toEqual([])
    const outra = await givenConta(app)
    expect(await listOf(first.contatoId, outra)).toEqual([])
  })
})

describe('GET /atendimento/conversas/:id/carrinho', () => {
  it('returns the items, options and sum that the customer wrote, until the order is made', async () => {
    const telefone = '5511977770003'
    const id = await givenServedCustomer(telefone, '3 coxinhas sem pimenta')
    expect(await carrinhoOf(id)).toMatchObject({
      itens: [
        { ...{ produtoId: coxinha, nome: 'Coxinha', quantidade: 3, precoCentavos: 500 }, observacao: 'sem pimenta' },
      ],
      ...{ subtotalCentavos: 1_500, cupom: null },
    })
    await otto.request('POST', `/atendimento/conversas/${id}/devolver`)
    await customerSays(dona, telefone, ...TO_SHOP, 'fechar', 'dinheiro', 'não', 'confirmar')
    await waitUntil(async () => (await carrinhoOf(id)) === null)
  })

  it('is null without a cart, and closed with the conversa', async () => {
    const id = await givenWaitingCustomer(dona, '5511977770004')
    expect(await carrinhoOf(id)).toBeNull()
    const pia = await givenOperador(app, dona, { nome: 'Pia', setores: ['vendas'] })
    await dona.request('POST', `/atendimento/conversas/${id}/transferir`, { setor: 'financeiro' })
    for (const [person, path] of [
      [pia, id],
      [await givenConta(app), id],
      [otto, app.deps.ids.uuid()],
      [otto, 'x'],
    ] as const)
      expect((await person.request('GET', `/atendimento/conversas/${path}/carrinho`)).status).toBe(404)
  })
})

describe('GET /atendimento/conversas?status=bot', () => {
  it('has the cart of each customer, its first items and the sum of all', async () => {
    const telefone = '5511977770007'
    const nomes = ['Bolo', 'Suco', 'Torta', 'Empada', 'Pudim']
    for (const nome of nomes) await dona.request('POST', '/produtos', { nome, descricao: nome, preco: 2.5 })
    await customerSays(dona, telefone, ...TO_SHOP, '3 coxinhas')
    const listed = async (person = otto) => {
      const { body } = await person.request('GET', '/atendimento/conversas?status=bot')
      return contatosComBotList.response.parse(body).conversas.find(({ cliente }) => cliente.telefone === telefone)
    }
    const first = { nome: 'Coxinha', quantidade: 3 }
    expect((await listed())?.carrinho).toEqual({ itens: [first], totalItens: 1, subtotalCentavos: 1_500 })
    await customerSays(dona, telefone, ...nomes.map((nome) => `1 ${nome}`))
    const more = nomes.slice(0, 4).map((nome) => ({ nome, quantidade: 1 }))
    expect((await listed())?.carrinho).toEqual({ itens: [first, ...more], totalItens: 6, subtotalCentavos: 2_750 })
    await customerSays(dona, telefone, 'limpar')
    expect(await listed()).toBeDefined()
    expect((await listed())?.carrinho).toBeUndefined()
    await customerSays(dona, telefone, '1 coxinha')
    await setComponentes(app, dona.contaId, ['lojaWhatsapp'])
    expect((await listed(await app.login(otto.usuario.email)))?.carrinho).toBeUndefined()
    await setComponentes(app, dona.contaId, [])
  })
})

describe('the message of a made order', () => {
  it('carries its id from the chat and from a person, and no other message does', async () => {
    const telefone = '5511977770005'
    await customerSays(dona, telefone, ...TO_SHOP, '1 coxinha', 'fechar', 'dinheiro', 'não', 'confirmar', 'atendente')
    const id = await waitUntil(async () => {
      const found = (await openConversas(dona)).find(({ cliente }) => cliente.telefone === telefone)
      return found?.id ?? null
    })
    const { contatoId = '' } = await conversaOf(id)
    const [ofChat] = await listOf(contatoId)
    const byHand = await order(id)
    await otto.request('PUT', `/pedidos/${byHand.id}/status`, { status: 'preparo' })
    const marked = await waitUntil(async () => {
      const { mensagens } = await conversaOf(id)
      const carriers = mensagens.flatMap(({ pedidoId }) => pedidoId ?? [])
      return carriers.length > 1 ? carriers : null
    })
    expect(marked).toEqual([ofChat?.id, byHand.id])
  })
})

describe('the event pedidoNovo', () => {
  it('names the person who wrote the order', async () => {
    const { received } = await sockets.connect(dona)
    const id = await givenWaitingCustomer(dona, '5511977770006')
    const pedido = await order(id)
    await expect
      .poll(() => received.filter(([name]) => name === 'pedidoNovo').map(([, data]) => data))
      .toContainEqual(expect.objectContaining({ autorId: otto.usuario.id, pedido }))
  })
})

describe('GET /config of an operador', () => {
  it('says that the shop takes no orders while the account has no shop', async () => {
    const outra = await givenConta(app)
    await connectBot(outra, (config) => ({ ...config, loja: { ...config.loja, pedidos: true } }))
    const pia = await givenOperador(app, outra, { nome: 'Pia' })
    expect((await getConfig(app, pia)).loja.pedidos).toBe(true)
    await setComponentes(app, outra.contaId, ['lojaWhatsapp'])
    expect((await getConfig(app, pia)).loja.pedidos).toBe(false)
    expect((await getConfig(app, outra)).loja.pedidos).toBe(true)
  })
})
