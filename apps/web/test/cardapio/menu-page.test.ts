import type { Cardapio, ProdutoCardapio } from '@balcao/contract/entities/cardapio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createMenuApi } from '#cardapio/api.ts'
import { showMenuPage } from '#cardapio/menu-view.ts'
import { openOrder } from '#cardapio/order-dialog.ts'
import { Order } from '#cardapio/order.ts'
import { type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'

const STORED = 'balcao:cardapio:teste'

const produto = (id: string, nome: string, fields: Partial<ProdutoCardapio> = {}): ProdutoCardapio => ({
  ...{ id, nome, descricao: 'Da casa', precoCentavos: 500, imagemUrl: null, disponivel: true, grupos: [] },
  ...fields,
})

const SHOP: Cardapio = {
  ...{ nome: 'Padaria Aurora', descricao: '', aberto: true, horario: 'todos os dias', situacao: 'aberto o tempo todo' },
  ...{ pedidos: true, aceitaAgora: true, retirada: true, minimoCentavos: 0, whatsapp: 'https://wa.me/5511912345678' },
  entrega: { ativa: false, gratisAcimaCentavos: null, bairros: [] },
  pagamentos: ['dinheiro', 'cartao'],
  categorias: [{ nome: 'Salgados', produtos: [produto('a', 'Coxinha'), produto('b', 'Empada')] }],
}
const ACCEPTED = {
  codigo: 'ABC234',
  totalCentavos: 500,
  whatsapp: null,
  expiraEm: '2026-11-24T12:00:00.000Z',
  noChat: false,
}

let api: FakeApi
let place: HTMLElement

beforeEach(() => {
  api = fakeApi()
  localStorage.removeItem(STORED)
})
afterEach(() => {
  for (const dialog of document.querySelectorAll('dialog')) dialog.close()
  place.remove()
  api.restore()
})

function open(fields: Partial<Cardapio> = {}): void {
  place = document.createElement('div')
  document.body.append(place)
  const order = new Order({ ...SHOP, ...fields }, STORED)
  const menuApi = createMenuApi('aurora', undefined)
  showMenuPage(place, order, () => openOrder(order, menuApi))
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const bodies = () => api.calls.filter(({ route }) => route.endsWith('/carrinhos')).map(({ body }) => Object(body))

async function fillOrder(): Promise<void> {
  await button('Adicionar Coxinha').click()
  await button(/^Ver pedido/).click()
  await page.getByLabelText('Cartão').click()
}

describe('the menu of a shop', () => {
  it('keeps the focus while the amount changes by keyboard', async () => {
    open()
    await button('Adicionar Coxinha').click()
    await expect.element(button('Mais um: Coxinha')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Ver pedido · 2 itens · R$ 10,00')).toBeVisible()
    await button('Tirar um: Coxinha').click()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Adicionar Coxinha')).toHaveFocus()
  })

  it('takes no order while the shop is closed, and leads to the chat', async () => {
    open({ aberto: false, aceitaAgora: false, situacao: 'fechado, abre amanhã às 08:00' })
    await expect.element(page.getByText('A loja está fechada: fechado, abre amanhã às 08:00.')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Falar com a loja' }))
      .toHaveAttribute('href', SHOP.whatsapp ?? '')
    await expect.element(button('Adicionar Coxinha')).not.toBeInTheDocument()
  })

  it('finds produtos by name without accents', async () => {
    const produtos = Array.from({ length: 12 }, (_, n) => produto(String(n), `Pão ${n}`))
    open({ categorias: [{ nome: '', produtos }] })
    await page.getByRole('searchbox').fill('pao 11')
    await expect.element(page.getByText('1 no cardápio.')).toBeVisible()
    await expect.element(button('Adicionar Pão 3')).not.toBeInTheDocument()
    await page.getByRole('searchbox').fill('bolo')
    await expect.element(page.getByText('Nenhum produto com este nome.')).toBeVisible()
  })

  it('names what is missing before the order is sent', async () => {
    open({ entrega: { ...SHOP.entrega, ativa: true } })
    await button('Adicionar Coxinha').click()
    await button(/^Ver pedido/).click()
    await button('Enviar pedido').click()
    await expect.element(page.getByText('Escolha entrega ou retirada.')).toBeVisible()
    await page.getByLabelText('Entrega').click()
    await button('Enviar pedido').click()
    await expect.element(page.getByText('Escreva o endereço, com rua e número.')).toBeVisible()
    await page.getByLabelText('Retirar na loja').click()
    await button('Enviar pedido').click()
    await expect.element(page.getByText('Escolha como prefere pagar.')).toBeVisible()
    expect(bodies()).toEqual([])
  })

  it('repeats a failed send with the same id, and shows the code', async () => {
    let online = false
    api.on('POST /publico/lojas/aurora/carrinhos', () => {
      if (!online) throw new TypeError('Failed to fetch')
      return ok(ACCEPTED)
    })
    open()
    await fillOrder()
    await button('Enviar pedido').click()
    await expect.element(page.getByText(/^Sem conexão. Seu pedido está guardado/)).toBeVisible()
    online = true
    await button('Enviar pedido').click()
    await expect.element(page.getByText('ABC234')).toBeVisible()
    const [first, second] = bodies()
    expect(second).toEqual(first)
    expect(first).toMatchObject({
      ...{ itens: [{ produtoId: 'a', quantidade: 1, precoCentavos: 500 }], pagamento: { forma: 'cartao' } },
    })
    await expect.element(page.getByRole('button', { name: /^Ver pedido/, includeHidden: true })).not.toBeInTheDocument()
  })

  it('shows what changed at the item', async () => {
    const gone = { categorias: [{ nome: 'Salgados', produtos: [produto('a', 'Coxinha', { disponivel: false })] }] }
    api.on('GET /publico/lojas/aurora', () => ok({ ...SHOP, ...gone }))
    api.on('POST /publico/lojas/aurora/carrinhos', () =>
      refusal(409, 'carrinhoMudou', 'Há produtos que mudaram.', {
        itens: [{ produtoId: 'a', precoCentavos: 500, disponivel: 0 }],
      }),
    )
    open()
    await fillOrder()
    await button('Enviar pedido').click()
    await expect.element(page.getByText('Há produtos que mudaram.')).toBeVisible()
    await expect.element(page.getByText('Acabou. Tire este item do pedido.')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Tirar um: Coxinha' }).click()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  it('restores the order of this device, without produtos that are gone', async () => {
    const lines = ['a', 'gone'].map((produtoId) => ({ produtoId, quantidade: 2, opcoes: [], observacao: '' }))
    localStorage.setItem(STORED, JSON.stringify({ lines, form: {} }))
    open()
    await expect.element(button('Ver pedido · 2 itens · R$ 10,00')).toBeVisible()
  })
})
