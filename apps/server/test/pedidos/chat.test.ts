import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type Pedido, pedidoSchema } from '@balcao/contract/entities/pedido'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, customerSays, givenConta } from '#test/builders.ts'

/** Customers order in the chat. The dialogue itself is tested in the engine. */

let app: TestApp
let dona: TestUser

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  await connectBot(dona, (config) => ({
    ...config,
    loja: {
      ...{ pedidos: true, pagamentos: ['pix', 'dinheiro'], retirada: true },
      ...{ pix: { chave: '11222333000181', nome: 'Padaria Aurora', cidade: 'São Paulo' } },
      entrega: {
        ...{ ativa: true, minimoCentavos: 0, gratisAcimaCentavos: null },
        taxas: [{ bairro: 'Centro', centavos: 700 }],
      },
    },
  }))
})
afterAll(() => app?.close())

async function givenProduto(nome: string, fields: object = {}): Promise<string> {
  const { body } = await dona.request('POST', '/produtos', { nome, descricao: nome, preco: 5, ...fields })
  return z.object({ produto: z.object({ id: z.string() }) }).parse(body).produto.id
}

const listPedidos = async (busca: string): Promise<readonly Pedido[]> =>
  z
    .object({ pedidos: z.array(pedidoSchema) })
    .parse((await dona.request('GET', `/pedidos?busca=${encodeURIComponent(busca)}`)).body).pedidos

/** Says the texts and returns what the bot said to the last one. */
async function answerTo(telefone: string, ...texts: readonly string[]): Promise<string> {
  await customerSays(dona, telefone, ...texts)
  // The answers leave after the message is accepted.
  await app.idle()
  const chat = await chatOf(dona, telefone)
  return chat
    .slice(chat.findLastIndex(({ de }) => de === 'cliente') + 1)
    .map(({ texto }) => texto)
    .join('\n')
}

const TO_SHOP = ['oi', '3'] as const
const PICK_UP = ['fechar', '2', 'pix'] as const

describe('an order in the chat', () => {
  it('is made with its sums, stock and PIX code when the customer confirms the summary', async () => {
    const telefone = '5511988880001'
    const id = await givenProduto('Empada', { estoque: 5, preco: 7.5 })
    const summary = await answerTo(
      telefone,
      ...[...TO_SHOP, 'quero 3 empadas sem azeitona', 'fechar', '1', 'Rua A, 10, Centro, 01310-100', 'pix'],
    )
    expect(summary).toContain('Total: R$ 29,50')
    expect(await listPedidos('Empada')).toEqual([])
    // A service may deliver a message several times.
    const confirm = { telefone, nome: 'Bia', texto: 'confirmar', id: 'CONFIRMA-1' }
    await Promise.all(Array.from({ length: 5 }, () => dona.request('POST', '/simulador/mensagens', confirm)))
    await waitUntil(async () => (await listPedidos('Empada')).length > 0)
    const told = await waitUntil(async () => {
      const said = (await chatOf(dona, telefone)).map(({ texto }) => texto).join('\n')
      return said.includes('000201') ? said : null
    })
    const [pedido, ...others] = await listPedidos('Empada')
    expect(others).toEqual([])
    expect(pedido).toMatchObject({
      ...{ subtotalCentavos: 2_250, entregaCentavos: 700, totalCentavos: 2_950, status: 'novo' },
      entrega: { tipo: 'entrega', bairro: 'Centro', cep: '01310100' },
      itens: [{ produtoId: id, quantidade: 3, precoCentavos: 750 }],
      pagamento: { forma: 'pix', estado: 'pendente' },
    })
    expect(told).toContain(`Pedido nº ${pedido?.numero} recebido`)
    expect(told).toMatch(/^000201.*540529\.50.*6304[0-9A-F]{4}$/m)
    expect((await app.sql('select estoque from produtos where id = $1', [id]))[0]).toEqual({ estoque: 2 })
    // The order is made, so the words for it make no second one.
    await answerTo(telefone, 'confirmar')
    expect(await listPedidos('Empada')).toHaveLength(1)
  })

  it('shows a changed price, and counts it only after another confirmation', async () => {
    const telefone = '5511988880002'
    const id = await givenProduto('Quindim')
    await answerTo(telefone, ...TO_SHOP, '2 quindins', ...PICK_UP)
    await dona.request('PUT', `/produtos/${id}`, { preco: 6 })
    const told = await answerTo(telefone, 'confirmar')
    expect(told).toContain('Quindim custa agora R$ 6,00')
    expect(told).toContain('Total: R$ 12,00')
    expect(await listPedidos('Quindim')).toEqual([])
    await answerTo(telefone, 'confirmar')
    expect((await listPedidos('Quindim')).map(({ totalCentavos }) => totalCentavos)).toEqual([1_200])
  })

  it('carries the phone of a customer without a name', async () => {
    const telefone = '5511988880003'
    await givenProduto('Bolinho')
    for (const texto of [...TO_SHOP, '1 bolinho', ...PICK_UP, 'confirmar'])
      await dona.request('POST', '/simulador/mensagens', { telefone, nome: '', texto })
    const [pedido] = await waitUntil(async () => {
      const listed = await listPedidos('Bolinho')
      return listed.length > 0 ? listed : null
    })
    expect(pedido?.cliente).toBe(telefone)
  })

  it('sells the last unit once to customers who confirm together, and answers the others', async () => {
    const id = await givenProduto('Panetone', { estoque: 1 })
    const phones = Array.from({ length: 12 }, (_, n) => `55119888810${String(n).padStart(2, '0')}`)
    for (const telefone of phones) await answerTo(telefone, ...TO_SHOP, '1 panetone', ...PICK_UP)
    const told = await Promise.all(phones.map((telefone) => answerTo(telefone, 'confirmar')))
    expect(told.filter((text) => text.includes('recebido'))).toHaveLength(1)
    expect(told.filter((text) => text.includes('Panetone acabou'))).toHaveLength(11)
    expect(await listPedidos('Panetone')).toHaveLength(1)
    expect((await app.sql('select estoque from produtos where id = $1', [id]))[0]).toEqual({ estoque: 0 })
  })
})

describe('a coupon', () => {
  it('counts at the confirmation, never over its uses, and a cancelled order gives the use back', async () => {
    await givenProduto('Brownie', { preco: 20 })
    const { status } = await dona.request('POST', '/cupons', {
      ...{
        codigo: 'VOLTEI10',
        tipo: 'percentual',
        valor: 10,
        minimoCentavos: 0,
        usos: 1,
        porCliente: null,
        ativo: true,
      },
    })
    expect(status).toBe(201)
    const phones = Array.from({ length: 8 }, (_, n) => `551198888200${n}`)
    for (const telefone of phones)
      expect(await answerTo(telefone, ...TO_SHOP, '1 brownie', 'cupom voltei10', ...PICK_UP)).toContain(
        'Total: R$ 18,00',
      )
    const told = await Promise.all(phones.map((telefone) => answerTo(telefone, 'confirmar')))
    expect(told.filter((text) => text.includes('recebido'))).toHaveLength(1)
    expect(told.filter((text) => text.includes('VOLTEI10 não vale mais'))).toHaveLength(7)
    const listed = (usados: number) => ({ body: { cupons: [{ codigo: 'VOLTEI10', usos: 1, usados }] } })
    expect(await dona.request('GET', '/cupons')).toMatchObject(listed(1))
    const [pedido] = await listPedidos('Brownie')
    expect(pedido).toMatchObject({ descontoCentavos: 200, totalCentavos: 1_800 })
    await dona.request('PUT', `/pedidos/${pedido?.id}/status`, { status: 'cancelado' })
    expect(await dona.request('GET', '/cupons')).toMatchObject(listed(0))
    const last = '5511988882099'
    await answerTo(last, ...TO_SHOP, '1 brownie', 'cupom VOLTEI10', ...PICK_UP)
    expect(await answerTo(last, 'confirmar')).toContain('recebido')
  })

  it('is known to the bot as soon as the owner saves it', async () => {
    const telefone = '5511988883000'
    await givenProduto('Pudim')
    expect(await answerTo(telefone, ...TO_SHOP, '1 pudim', 'cupom FRETE')).toContain('FRETE não existe')
    const cupom = { codigo: 'FRETE', tipo: 'entrega', valor: 0, minimoCentavos: 0, usos: null, porCliente: null }
    await dona.request('POST', '/cupons', { ...cupom, ativo: true })
    await waitUntil(async () => (await answerTo(telefone, 'cupom FRETE')).includes('anotado'))
  })
})
