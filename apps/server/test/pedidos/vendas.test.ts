import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { connectBot, givenConta, givenOperador, givenWaitingCustomer } from '#test/builders.ts'

let app: TestApp
let dona: TestUser
let conversaId: string

const relatorio = async (days: string, { request } = dona): Promise<Relatorio> =>
  relatorioRoute.response.parse((await request('GET', `/atendimento/relatorio${days}`)).body)

async function givenProduto(nome: string, preco: number): Promise<string> {
  const { body } = await dona.request('POST', '/produtos', { nome, descricao: nome, preco })
  return z.object({ produto: z.object({ id: z.string() }) }).parse(body).produto.id
}

async function givenPedido(itens: readonly [produtoId: string, quantidade: number][], fields: object = {}) {
  const { status, body } = await dona.request('POST', '/pedidos', {
    ...{ conversaId, itens: itens.map(([produtoId, quantidade]) => ({ produtoId, quantidade })) },
    ...{ entrega: { tipo: 'retirada' }, pagamento: { forma: 'dinheiro' }, ...fields },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return z.object({ pedido: z.object({ id: z.string() }) }).parse(body).pedido.id
}

beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z' })
  dona = await givenConta(app)
  await connectBot(dona, (config) => ({
    ...config,
    loja: {
      ...{ pedidos: true },
      entrega: {
        ...{ ativa: true, minimoCentavos: 0, gratisAcimaCentavos: null },
        taxas: [{ bairro: 'Centro', centavos: 700 }],
      },
    },
  }))
  conversaId = await givenWaitingCustomer(dona, '5511999990001')
})
afterAll(() => app?.close())

describe('GET /atendimento/relatorio', () => {
  it('has no sales before the first order', async () => {
    expect(await relatorio('')).not.toHaveProperty('vendas')
  })

  it('has orders and revenue by local day and produto, without the cancelled ones', async () => {
    const [torta, cafe] = [await givenProduto('Torta', 10), await givenProduto('Café', 2.5)]
    app.setNow('2026-03-10T15:00:00.000Z')
    await givenPedido([[torta, 2]], { entrega: { tipo: 'entrega', endereco: 'Rua A, 1', bairro: 'Centro' } })
    // Still the 10th in São Paulo.
    app.setNow('2026-03-11T02:30:00.000Z')
    await givenPedido(
      [
        [cafe, 3],
        [torta, 1],
      ],
      { descontoCentavos: 150 },
    )
    app.setNow('2026-03-11T12:00:00.000Z')
    await givenPedido([[cafe, 1]])
    const cancelled = await givenPedido([[torta, 50]])
    await dona.request('PUT', `/pedidos/${cancelled}/status`, { status: 'cancelado' })
    await dona.request('PUT', `/produtos/${torta}`, { nome: 'Torta grande', preco: 99 })
    const { vendas } = await relatorio('?de=2026-03-10&ate=2026-03-11')
    expect(vendas).toEqual({
      total: { pedidos: 3, receitaCentavos: 4_550, entregaCentavos: 700, descontoCentavos: 150 },
      anterior: { pedidos: 0, receitaCentavos: 0 },
      dias: [
        { dia: '2026-03-10', pedidos: 2, receitaCentavos: 4_300 },
        { dia: '2026-03-11', pedidos: 1, receitaCentavos: 250 },
      ],
      produtos: [
        { produtoId: torta, nome: 'Torta', quantidade: 3, receitaCentavos: 3_000 },
        { produtoId: cafe, nome: 'Café', quantidade: 4, receitaCentavos: 1_000 },
      ],
    })
    const next = await relatorio('?de=2026-03-11&ate=2026-03-11')
    expect(next.vendas?.anterior).toEqual({ pedidos: 2, receitaCentavos: 4_300 })
    expect(await relatorio('?de=2026-03-09&ate=2026-03-09')).not.toHaveProperty('vendas')
  })

  it('equals the sum of the orders', async () => {
    const produto = await givenProduto('Bolo', 3.33)
    for (let n = 1; n <= 5; n += 1) await givenPedido([[produto, n]], { descontoCentavos: n * 7 })
    const [orders] = await app.sql(
      `select count(*)::int as pedidos, sum(total_centavos)::int as receita from pedidos where status <> 'cancelado'`,
    )
    const { vendas } = await relatorio('')
    expect([vendas?.total.pedidos, vendas?.total.receitaCentavos]).toEqual([orders?.['pedidos'], orders?.['receita']])
    const { entregaCentavos = 0, descontoCentavos = 0 } = vendas?.total ?? {}
    const ofProdutos = (vendas?.produtos ?? []).reduce((sum, { receitaCentavos }) => sum + receitaCentavos, 0)
    expect(ofProdutos + entregaCentavos - descontoCentavos).toBe(vendas?.total.receitaCentavos)
  })

  it('counts the orders of one line, and hides the money from operadores', async () => {
    const ofLine = await relatorio(`?linha=${dona.contaId}`)
    expect(ofLine.vendas?.total).toEqual((await relatorio('')).vendas?.total)
    expect(await relatorio(`?linha=${crypto.randomUUID()}`)).not.toHaveProperty('vendas')
    const otto = await givenOperador(app, dona)
    expect(await relatorio('', otto)).not.toHaveProperty('vendas')
  })
})
