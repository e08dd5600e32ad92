import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { carrinhoAceitoSchema } from '@balcao/contract/entities/cardapio'
import { type Pedido, pedidoSchema } from '@balcao/contract/entities/pedido'
import { findCart } from '#modules/cardapio/repository.ts'
import { deleteExpired } from '#modules/retencao/delete-expired.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, customerSays, givenConta, saveConfig } from '#test/builders.ts'
import { explained } from '#test/explained.ts'
import { givenProduto, savePage, TestVisit, withPage } from './shop-page.ts'

/** From the page to the chat. */

let app: TestApp
let dona: TestUser
let coxinha: string
let addresses = 0

const visit = (endereco = 'aurora'): TestVisit => new TestVisit(app, endereco, `203.0.113.${(addresses += 1)}`)

beforeAll(async () => {
  app = await createTestApp({ trustProxy: true })
  dona = await givenConta(app)
  await connectBot(dona, (config) => {
    const changed = withPage('aurora')(config)
    const { mensagens } = config.menu
    const menu = { ...config.menu, digitando: false, mensagens: { ...mensagens, boasVindas: 'Cardápio: {link}' } }
    return { ...changed, menu }
  })
  coxinha = await givenProduto(dona)
})
afterAll(() => app?.close())

const pedidosOf = async (telefone: string): Promise<readonly Pedido[]> =>
  z.object({ pedidos: z.array(pedidoSchema) }).parse((await dona.request('GET', `/pedidos?busca=${telefone}`)).body)
    .pedidos

/** The texts of the bot after the last message of the customer, once they are on the phone. */
async function answerTo(telefone: string, ...texts: readonly string[]): Promise<string> {
  await customerSays(dona, telefone, ...texts)
  await app.idle()
  const said = (await chatOf(dona, telefone)).map(({ de, texto }) => (de === 'cliente' ? null : texto))
  return said.slice(said.lastIndexOf(null) + 1).join('\n')
}

const countCarts = async (): Promise<unknown> =>
  (await app.sql('select count(*)::int as n from carrinhos_pagina'))[0]?.['n']

describe('POST /publico/lojas/:endereco/carrinhos', () => {
  it('finds a cart by its id, not by the end of all carts of the shop', async () => {
    const key = { contaId: dona.contaId, id: randomUUID(), now: app.deps.clock.now() }
    const plans: unknown[] = []
    await app.deps.db.read(dona.contaId, (tx) => findCart(explained(tx, plans), key))
    expect(JSON.stringify(plans)).toContain('carrinhos_pagina_pkey')
  })

  it('returns a code and the total of the server, and the same answer for the same id', async () => {
    const id = randomUUID()
    const tab = visit()
    const answers = await Promise.all(Array.from({ length: 5 }, () => tab.order(coxinha, { id })))
    const [first] = answers
    expect(first).toMatchObject({ status: 201, body: { totalCentavos: 1_000, whatsapp: null, noChat: false } })
    const { codigo, expiraEm } = carrinhoAceitoSchema.parse(first?.body)
    expect(codigo).toMatch(/^[A-HJ-NP-Z2-9]{6}$/)
    expect(Date.parse(expiraEm) - app.deps.clock.now().getTime()).toBeGreaterThan(23 * 3_600_000)
    for (const { body } of answers) expect(body).toEqual(first?.body)
    expect(await app.sql('select 1 from carrinhos_pagina where id = $1', [id])).toHaveLength(1)
    // A changed order under the same id is still the first one.
    expect((await tab.order(coxinha, { id }, { quantidade: 9 })).body).toEqual(first?.body)
  })

  it('adds fee, coupon and options, and offers the chat when the number is known', async () => {
    const cupom = { codigo: 'DEZ', tipo: 'percentual', valor: 10, minimoCentavos: 0, usos: null, porCliente: null }
    await dona.request('POST', '/cupons', { ...cupom, ativo: true })
    await app.sql(`update linhas_bots set numero = '5511912345678' where conta_id = $1`, [dona.contaId])
    const entrega = { tipo: 'entrega', endereco: 'Rua A, 10', bairro: 'centro', cep: '' }
    const { body } = await visit().order(coxinha, { entrega, cupom: 'dez' }, { quantidade: 4, precoCentavos: 500 })
    await app.sql(`update linhas_bots set numero = null where conta_id = $1`, [dona.contaId])
    const { codigo, totalCentavos, whatsapp } = carrinhoAceitoSchema.parse(body)
    expect(totalCentavos).toBe(2_000 + 700 - 200)
    expect(whatsapp).toBe(`https://wa.me/5511912345678?text=${encodeURIComponent(`Pedido do cardápio: ${codigo}`)}`)
  })

  it('refuses changed prices, options and stock with the items, and stores nothing', async () => {
    const scarce = await givenProduto(dona, { nome: 'Torta', estoque: 1 })
    const off = await givenProduto(dona, { nome: 'Fora', ativo: false })
    const before = await countCarts()
    const changed = (produtoId: string, precoCentavos: number, disponivel: number | null) => ({
      ...{ status: 409, body: { codigo: 'carrinhoMudou', itens: [{ produtoId, precoCentavos, disponivel }] } },
    })
    expect(await visit().order(coxinha, {}, { precoCentavos: 1 })).toMatchObject(changed(coxinha, 500, null))
    expect(await visit().order(coxinha, {}, { opcoes: ['nenhuma'] })).toMatchObject(changed(coxinha, 500, 0))
    expect(await visit().order(scarce)).toMatchObject(changed(scarce, 500, 1))
    expect(await visit().order(off)).toMatchObject(changed(off, 500, 0))
    expect(await visit().order('nada')).toMatchObject(changed('nada', 0, 0))
    expect(await countCarts()).toBe(before)
  })

  it('refuses places, payments, coupons and bodies that do not fit', async () => {
    const entrega = { tipo: 'entrega', endereco: 'Rua A, 10', bairro: 'Centro' }
    const before = await countCarts()
    expect(await visit().order(coxinha, { entrega: { ...entrega, bairro: 'Lua' } })).toMatchObject({
      ...{ status: 409, body: { codigo: 'foraDaEntrega' } },
    })
    for (const [wrong, caminho] of [
      [{ entrega: { ...entrega, endereco: '' } }, 'entrega.endereco'],
      // Under the minimum of a delivery.
      [{ entrega }, 'itens'],
      [{ pagamento: { forma: 'pix' } }, 'pagamento.forma'],
      [{ cupom: 'NADA' }, 'cupom'],
      [{ id: 'x' }, 'id'],
      [{ itens: [] }, 'itens'],
    ] as const)
      expect(await visit().order(coxinha, wrong)).toMatchObject({ status: 400, body: { detalhes: [{ caminho }] } })
    expect(await countCarts()).toBe(before)
  })

  it('takes no order while the shop is closed, unless the shop wants it', async () => {
    const closed = await givenConta(app)
    const shut = { seg: [], ter: [], qua: [], qui: [], sex: [], sab: [], dom: [] }
    const save = (pedirFechado: boolean) =>
      saveConfig(closed, (config) => {
        const open = withPage('fechada', { pedirFechado })(config)
        const { atendimento } = config
        return {
          ...open,
          atendimento: { ...atendimento, horario: { ...atendimento.horario, excecoes: [], dias: shut } },
        }
      })
    await save(false)
    const id = await givenProduto(closed)
    expect(await visit('fechada').menu()).toMatchObject({ aberto: false, aceitaAgora: false })
    expect(await visit('fechada').order(id)).toMatchObject({ status: 409, body: { codigo: 'lojaFechada' } })
    await save(true)
    expect((await visit('fechada').order(id)).status).toBe(201)
    await savePage(closed, 'fechada', { pedidos: false, pedirFechado: true })
    expect((await visit('fechada').order(id)).status).toBe(409)
  })

  it('takes 30 carts an hour from a network address over all shops, and repeats answers without counting', async () => {
    const other = await givenConta(app)
    await savePage(other, 'outra-loja')
    const produto = await givenProduto(other)
    const ip = '198.51.100.7'
    const [here, there] = [new TestVisit(app, 'aurora', ip), new TestVisit(app, 'outra-loja', ip)]
    const id = randomUUID()
    const refused = await here.order(coxinha, {}, { precoCentavos: 1 })
    expect(refused.status).toBe(409)
    for (let n = 0; n < 15; n += 1) {
      expect((await here.order(coxinha, n === 0 ? { id } : {})).status).toBe(201)
      expect((await there.order(produto)).status).toBe(201)
    }
    expect(await here.order(coxinha)).toMatchObject({ status: 429, body: { codigo: 'muitasTentativas' } })
    expect((await here.order(coxinha, { id })).status).toBe(201)
    expect((await visit().order(coxinha)).status).toBe(201)
  })
})

describe('a code in the chat', () => {
  it('brings the summary, and confirming makes the order', async () => {
    const telefone = '5511977770001'
    const code = await visit().codeOf(coxinha, { observacao: 'sem cebola' })
    const told = await answerTo(telefone, `Pedido do cardápio: ${code}`)
    expect(told).toContain('2x Coxinha')
    expect(told).toContain('Total: R$ 10,00')
    expect(await answerTo(telefone, 'confirmar')).toContain('recebido')
    expect(await pedidosOf(telefone)).toMatchObject([
      { totalCentavos: 1_000, observacao: 'sem cebola', entrega: { tipo: 'retirada' }, pagamento: { forma: 'cartao' } },
    ])
  })

  it('works in small letters for the first contato, once', async () => {
    const code = await visit().codeOf(coxinha)
    const phones = Array.from({ length: 8 }, (_, n) => `551197778000${n}`)
    const told = await Promise.all(phones.map((telefone) => answerTo(telefone, `oi, ${code.toLowerCase()}`)))
    expect(told.filter((text) => text.includes('Resumo do pedido'))).toHaveLength(1)
    const again = await answerTo('5511977770002', `Pedido do cardápio: ${code}`)
    expect(again).toContain('Não encontrei o pedido deste código')
    expect(await app.sql('select carrinho from carrinhos_pagina where codigo = $1', [code])).toEqual([
      { carrinho: null },
    ])
  })

  it('reaches people when it names them too and has no cart', async () => {
    expect(await answerTo('5511977770003', 'oi', 'ABC234', 'atendente')).toContain('atendente')
  })

  it('stops working after 24 hours, and retention deletes the cart', async () => {
    const code = await visit().codeOf(coxinha)
    app.advance(24 * 3_600_000 + 60_000)
    expect(await answerTo('5511977770004', `Pedido do cardápio: ${code}`)).toContain('Não encontrei')
    await deleteExpired(app.deps)
    expect(await countCarts()).toBe(0)
  })
})

describe('the link of the chat', () => {
  const linkIn = (text: string): string => /m\/aurora\?t=(\S+)/.exec(text)?.[1] ?? ''

  it('brings the summary into the chat without a code', async () => {
    const telefone = '5511977770010'
    const t = linkIn(await answerTo(telefone, 'oi'))
    expect(t).not.toContain(telefone)
    const id = randomUUID()
    const tab = visit()
    const answers = await Promise.all([tab.order(coxinha, { t, id }), tab.order(coxinha, { t, id })])
    for (const { status, body } of answers) expect([status, body['noChat']]).toEqual([201, true])
    const summaries = async () =>
      (await chatOf(dona, telefone)).filter(({ texto }) => texto.includes('Resumo do pedido'))
    await waitUntil(async () => (await summaries()).length > 0)
    await app.idle()
    expect(await summaries()).toHaveLength(1)
    expect(await answerTo(telefone, 'confirmar')).toContain('recebido')
    // The code of this cart is of no use to others.
    const { codigo } = carrinhoAceitoSchema.parse(answers[0].body)
    expect(await answerTo('5511977770011', `Pedido do cardápio: ${codigo}`)).toContain('Não encontrei')
  })

  it('counts as none when it is changed, expired or of another shop', async () => {
    const t = linkIn(await answerTo('5511977770012', 'oi'))
    const other = await givenConta(app)
    await savePage(other, 'sem-link')
    const produto = await givenProduto(other)
    expect((await visit('sem-link').order(produto, { t })).body).toMatchObject({ noChat: false })
    for (const wrong of [`${t.slice(0, -2)}xx`, `B${t.slice(1)}`, 'x', '...', ''])
      expect((await visit().order(coxinha, { t: wrong })).body).toMatchObject({ noChat: false })
    app.advance(24 * 3_600_000 + 1_000)
    expect((await visit().order(coxinha, { t })).body).toMatchObject({ noChat: false })
  })
})

describe('LGPD', () => {
  it('exports the carts of a customer and erases them with the customer', async () => {
    const telefone = '5511977770020'
    const code = await visit().codeOf(coxinha)
    await answerTo(telefone, `Pedido do cardápio: ${code}`)
    const exported = await dona.request('GET', `/lgpd/titulares/${telefone}/exportacao`)
    expect(exported.body).toMatchObject({ carrinhos: [{ codigo: code, totalCentavos: 1_000 }] })
    await dona.request('DELETE', `/lgpd/titulares/${telefone}`)
    expect(await app.sql('select 1 from carrinhos_pagina where codigo = $1', [code])).toEqual([])
  })
})
