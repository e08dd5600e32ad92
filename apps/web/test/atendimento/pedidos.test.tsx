import type { Carrinho, Pedido } from '@balcao/contract/entities/pedido'
import type { Produto } from '@balcao/contract/entities/produto'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { fakeSocket } from '#test/dashboard/fake-socket.ts'
import { CONTA_ID, makeConfig } from '#test/dashboard/panel.tsx'
import { makeOperadorUsuario } from '#test/equipe/equipe-panel.ts'
import { type FakeAnswer, ok, refusal } from '#test/fake-api.ts'
import { makePedido } from '#test/loja/pedidos-app.ts'
import { makeProduto } from '#test/loja/tab.ts'
import { ALL_PERMISSIONS, makeUsuario } from '#test/render.tsx'
import { makeConversa, makeMensagem } from './sample-conversas.ts'
import {
  type AtendimentoTestApp,
  aviso,
  button,
  chat,
  composer,
  emitCustomerMensagem,
  openName,
  sentBodies,
  setupAtendimento,
  waitForSocket,
} from './tab.ts'

/** Orders in the chat: written for the customer, on the card of a message and beside the chat. */

const open = setupAtendimento()
const opcao = (id: string, nome: string, acrescimoCentavos = 0) => ({ id, nome, acrescimoCentavos, ativa: true })
const PRODUTOS: readonly Produto[] = [
  makeProduto({ id: 'p1', nome: 'Coxinha', preco: 9 }),
  makeProduto({
    ...{ id: 'p2', nome: 'Pizza grande', preco: 40 },
    grupos: [
      {
        ...{ id: 'g1', nome: 'Sabores', minimo: 1, maximo: 2, preco: 'maior' },
        opcoes: [opcao('cal', 'Calabresa', 500), opcao('por', 'Portuguesa', 800), opcao('mus', 'Muçarela')],
      },
    ],
  }),
  makeProduto({ id: 'p3', nome: 'Torta', estoque: 0 }),
]
const CARRINHO: Carrinho = {
  itens: [
    {
      ...{ produtoId: 'p2', nome: 'Pizza grande', quantidade: 1, precoCentavos: 4_500 },
      ...{ opcoes: ['cal'], detalhes: ['Calabresa'], observacao: 'bem assada' },
    },
  ],
  ...{ subtotalCentavos: 4_500, cupom: null, mudouEm: '2026-11-23T13:00:00.000Z' },
}

interface Shop {
  readonly pedidos?: readonly Pedido[]
  readonly carrinho?: Carrinho | null
  readonly usuario?: ReturnType<typeof makeUsuario>
  readonly takesOrders?: boolean
  readonly mensagens?: ReturnType<typeof makeMensagem>[]
}

function openChat({ pedidos = [], carrinho = null, usuario, takesOrders = true, mensagens }: Shop = {}) {
  const config = makeConfig()
  const loja = {
    ...{ ...config.loja, pedidos: takesOrders, retirada: true, pagamentos: ['pix', 'dinheiro'] as const },
    entrega: {
      ...{ ativa: true, minimoCentavos: 0, gratisAcimaCentavos: null },
      taxas: [{ bairro: 'Centro', centavos: 700 }],
    },
  }
  const conversa = makeConversa({
    ...{ contatoId: 'k1', status: 'em_atendimento', operadorId: usuario?.id ?? 'u1', operador: 'Ana Ribeiro' },
    ...(mensagens === undefined ? {} : { mensagens }),
  })
  const app = open({ open: [conversa] }, '/dashboard?aba=atendimento&c=c1', {
    config: { ...config, loja: { ...loja, pagamentos: [...loja.pagamentos] } },
    ...(usuario === undefined ? {} : { usuario }),
  })
  app.api.on('GET /contatos/k1', () => refusal(404, 'naoEncontrado', 'Contato não encontrado.'))
  app.api.on('GET /atendimento/produtos', () => ok({ produtos: PRODUTOS }))
  app.api.on('GET /atendimento/conversas/c1/carrinho', () => ok({ carrinho }))
  app.api.on('GET /pedidos', ({ url }) =>
    ok({ pedidos: url.searchParams.get('contatoId') === 'k1' ? pedidos : [], proximoCursor: null }),
  )
  for (const pedido of pedidos) app.api.on(`GET /pedidos/${pedido.id}`, () => ok({ pedido }))
  return app
}

const dialog = page.getByRole('dialog')
const itemOf = (nome: string) => dialog.getByRole('listitem', { name: nome })
const produto = (nome: string) =>
  dialog.getByRole('list', { name: 'Produtos' }).getByRole('button', { name: new RegExp(`^${nome}`) })
const total = (text: string) => dialog.getByRole('status').getByText(`Total ${text}`)
const field = (name: string) => dialog.getByRole('textbox', { name })
const submit = () => dialog.getByRole('button', { name: 'Criar pedido' }).click()

async function openDialog(): Promise<void> {
  await expect.element(composer).toBeVisible()
  await button('Mais ações').click()
  await page.getByRole('menuitem', { name: 'Novo pedido' }).click()
  await expect.element(dialog.getByRole('searchbox', { name: 'Produto' })).toBeVisible()
}

const created = (fields: Partial<Pedido> = {}): FakeAnswer => ({
  status: 201,
  body: { pedido: makePedido({ id: 'n', numero: 15, contatoId: 'k1', conversaId: 'c1', ...fields }) },
})

describe('Novo pedido', () => {
  it('counts options, delivery and discount while it is written, and sends them', async () => {
    const app = openChat()
    app.api.on('POST /pedidos', () => created())
    await openDialog()
    await produto('Coxinha').click()
    await produto('Coxinha').click()
    await produto('Pizza grande').click()
    await expect.element(total('R$ 18,00')).toBeVisible()
    await itemOf('Pizza grande')
      .getByRole('checkbox', { name: /^Calabresa/ })
      .click()
    await itemOf('Pizza grande')
      .getByRole('checkbox', { name: /^Portuguesa/ })
      .click()
    // The most expensive half counts, and a third one is not offered.
    await expect.element(total('R$ 66,00')).toBeVisible()
    await expect.element(itemOf('Pizza grande').getByRole('checkbox', { name: /^Muçarela/ })).toBeDisabled()
    await itemOf('Pizza grande').getByRole('textbox', { name: 'Observação' }).fill('Bem assada')
    await field('Endereço').fill('Rua A, 10')
    await dialog.getByRole('combobox', { name: 'Bairro' }).fill('centro')
    await expect.element(dialog.getByText('Entrega: R$ 7,00.')).toBeVisible()
    await dialog.getByText('Dinheiro', { exact: true }).click()
    await field('Troco para').fill('100')
    await field('Desconto').fill('3,50')
    await expect.element(total('R$ 69,50')).toBeVisible()
    await expectAccessible()
    await submit()
    await expect.element(aviso('Pedido nº 15 criado.')).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(sentBodies(app, 'POST /pedidos')).toEqual([
      {
        conversaId: 'c1',
        itens: [
          { produtoId: 'p1', quantidade: 2, opcoes: [], observacao: '' },
          { produtoId: 'p2', quantidade: 1, opcoes: ['cal', 'por'], observacao: 'Bem assada' },
        ],
        entrega: { tipo: 'entrega', endereco: 'Rua A, 10', bairro: 'centro', cep: '' },
        pagamento: { forma: 'dinheiro', trocoParaCentavos: 10_000 },
        ...{ descontoCentavos: 350, observacao: '' },
      },
    ])
    await openDialog()
    await expect.element(dialog.getByText('Nenhum produto ainda.')).toBeVisible()
  })

  it('says what is missing and sends nothing', async () => {
    const app = openChat()
    await openDialog()
    await submit()
    await expect.element(dialog.getByText('Escolha pelo menos um produto.')).toBeVisible()
    await expect.element(produto('Torta')).toBeDisabled()
    await produto('Pizza grande').click()
    await submit()
    for (const text of ['Sabores: de 1 a 2.', 'Escreva o endereço da entrega.', 'Escreva o bairro ou o CEP.'])
      await expect.element(dialog.getByText(text)).toBeVisible()
    await expect.element(field('Endereço')).toHaveFocus()
    await dialog.getByRole('combobox', { name: 'Bairro' }).fill('Lua')
    await submit()
    await expect.element(dialog.getByText('A loja não entrega neste bairro ou CEP.')).toBeVisible()
    await dialog.getByText('Retirada', { exact: true }).click()
    await itemOf('Pizza grande')
      .getByRole('checkbox', { name: /^Muçarela/ })
      .click()
    await dialog.getByText('Dinheiro', { exact: true }).click()
    await field('Troco para').fill('10')
    await submit()
    await expect.element(dialog.getByText('O total é R$ 40,00.')).toBeVisible()
    expect(sentBodies(app, 'POST /pedidos')).toEqual([])
  })

  it('shows at its item what the server cannot sell, and keeps the order', async () => {
    const app = openChat()
    const gone = { itens: [{ produtoId: 'p1', precoCentavos: 900, disponivel: 1 }] }
    app.api.on('POST /pedidos', () => refusal(409, 'carrinhoMudou', 'Há produtos que mudaram.', gone))
    await openDialog()
    await produto('Coxinha').click()
    await dialog.getByRole('button', { name: 'Mais Coxinha' }).click()
    await dialog.getByText('Retirada', { exact: true }).click()
    await submit()
    await expect.element(itemOf('Coxinha').getByText('Só há 1.')).toBeVisible()
    await expect.element(dialog.getByText('Há produtos que mudaram.')).toBeVisible()
    app.api.on('POST /pedidos', () => created())
    await dialog.getByRole('button', { name: 'Menos Coxinha' }).click()
    await submit()
    await expect.element(aviso('Pedido nº 15 criado.')).toBeVisible()
  })

  it('keeps what was written when it closes by mistake', async () => {
    openChat()
    await openDialog()
    await produto('Coxinha').click()
    await field('Endereço').fill('Rua B, 20')
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    composer.element().blur()
    await userEvent.keyboard('p')
    await expect.element(field('Endereço')).toHaveValue('Rua B, 20')
    await expect.element(itemOf('Coxinha')).toBeVisible()
    await dialog.getByRole('button', { name: 'Tirar Coxinha' }).click()
    await expect.element(dialog.getByText('Nenhum produto ainda.')).toBeVisible()
  })

  it('finds a produto by keyboard, and takes over what the customer chose in the chat', async () => {
    openChat({ carrinho: CARRINHO })
    await openDialog()
    await dialog.getByRole('button', { name: 'Usar o carrinho do chat (1 item)' }).click()
    await expect.element(itemOf('Pizza grande').getByRole('checkbox', { name: /^Calabresa/ })).toBeChecked()
    await expect.element(total('R$ 45,00')).toBeVisible()
    await dialog.getByRole('searchbox', { name: 'Produto' }).fill('coxi')
    await expect.element(produto('Pizza grande')).not.toBeInTheDocument()
    await userEvent.keyboard('{Enter}')
    await expect.element(total('R$ 54,00')).toBeVisible()
  })

  it('fits a phone, with the button in reach', async () => {
    await page.viewport(360, 740)
    openChat({ usuario: makeOperadorUsuario({ setores: [] }), carrinho: CARRINHO })
    await openDialog()
    await expect.element(dialog.getByRole('button', { name: /^Usar o carrinho/ })).toBeVisible()
    expect(dialog.element().scrollWidth).toBeLessThanOrEqual(dialog.element().clientWidth)
    await produto('Pizza grande').click()
    const box = dialog.getByRole('button', { name: 'Criar pedido' }).element().getBoundingClientRect()
    expect(box.bottom).toBeLessThanOrEqual(740)
    expect(box.height).toBeGreaterThanOrEqual(44)
    expect(dialog.element().scrollWidth).toBeLessThanOrEqual(dialog.element().clientWidth)
    await expectAccessible()
  })

  it('opens from the palette', async () => {
    openChat()
    await expect.element(composer).toBeVisible()
    await page
      .getByRole('button', { name: /Buscar ou executar/ })
      .first()
      .click()
    await page.getByRole('combobox', { name: 'Buscar ou executar' }).fill('novo pedido')
    await page.getByRole('option', { name: /^Novo pedido/ }).click()
    await expect.element(dialog.getByRole('searchbox', { name: 'Produto' })).toBeVisible()
  })

  it.each([
    ['a shop that takes no orders', { takesOrders: false }],
    [
      'an owner without the shop',
      { usuario: makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, lojaWhatsapp: false } }) },
    ],
  ])('is missing for %s', async (_, shop) => {
    await page.viewport(1600, 900)
    const app = openChat(shop)
    await expect.element(openName('Marina Duarte')).toBeVisible()
    await button('Mais ações').click()
    await expect.element(page.getByRole('menuitem', { name: 'Devolver ao bot' })).toBeVisible()
    expect(page.getByRole('menuitem', { name: 'Novo pedido' }).elements()).toEqual([])
    expect(app.api.calls.some(({ route }) => route.includes('pedidos') || route.includes('carrinho'))).toBe(false)
  })
})

const ofMarina = (fields: Partial<Pedido>): Pedido => makePedido({ contatoId: 'k1', conversaId: 'c1', ...fields })
const OLD = ofMarina({ id: 'v', numero: 3, status: 'entregue' })
const NEW = ofMarina({ id: 'a', numero: 12 })
const details = page.getByRole('complementary', { name: 'Detalhes' })
const part = details.getByRole('region', { name: 'Pedidos' })

async function openBeside(shop: Shop): Promise<AtendimentoTestApp> {
  await page.viewport(1600, 900)
  return openChat(shop)
}

describe('Orders beside the chat', () => {
  it('lists the open ones first, moves them, and shows their details', async () => {
    const app = await openBeside({ pedidos: [OLD, NEW] })
    await expect.element(part.getByRole('button', { name: 'Pedido nº 3' })).toBeVisible()
    const names = part.getByRole('button', { name: /^Pedido nº/ }).elements()
    expect(names.map(({ textContent }) => textContent)).toEqual(['Pedido nº 12', 'Pedido nº 3'])
    const moved = { ...NEW, status: 'preparo', atualizadoEm: new Date().toISOString() }
    app.api.on('PUT /pedidos/a/status', () => ok({ pedido: moved }))
    await part.getByRole('button', { name: 'Preparar pedido nº 12' }).click()
    await expect.element(part.getByText('Em preparo')).toBeVisible()
    await part.getByRole('button', { name: 'Pedido nº 12', exact: true }).click()
    await expect.element(dialog.getByText('Recheio: Frango com catupiry (+ R$ 1,50)')).toBeVisible()
    await expectAccessible()
  })

  it('follows new orders and steps of other windows', async () => {
    await openBeside({})
    await expect.element(part.getByText('Nenhum ainda')).toBeVisible()
    await waitForSocket()
    fakeSocket.emit('pedidoNovo', { userId: CONTA_ID, pedido: NEW, autorId: 'o9' })
    await expect.element(part.getByText('Novo', { exact: true })).toBeVisible()
    const later = new Date(Date.now() + 60_000).toISOString()
    fakeSocket.emit('pedidoMudou', { userId: CONTA_ID, pedido: { ...NEW, status: 'preparo', atualizadoEm: later } })
    fakeSocket.emit('pedidoMudou', { userId: CONTA_ID, pedido: NEW })
    await expect.element(part.getByText('Em preparo')).toBeVisible()
    fakeSocket.emit('pedidoNovo', { userId: CONTA_ID, pedido: makePedido({ id: 'x', numero: 99, contatoId: 'k2' }) })
    await expect.element(part.getByText('Pedido nº 99')).not.toBeInTheDocument()
  })

  it('shows what the customer writes to the bot, after each message', async () => {
    const app = await openBeside({ carrinho: CARRINHO })
    for (const text of [/^1x Pizza grande/, 'Calabresa, bem assada', 'R$ 45,00'])
      await expect.element(part.getByText(text)).toBeVisible()
    await expect.element(part.getByText('Nenhum ainda')).not.toBeInTheDocument()
    await waitForSocket()
    app.api.on('GET /atendimento/conversas/c1/carrinho', () => ok({ carrinho: null }))
    emitCustomerMensagem('c1', { texto: 'limpar' })
    await expect.element(part.getByText('Montando no chat')).not.toBeInTheDocument()
    await expect.element(part.getByText('Nenhum ainda')).toBeVisible()
  })

  it('offers another try when the list does not arrive, and starts an order', async () => {
    const app = await openBeside({})
    app.api.on('GET /pedidos', () => refusal(403, 'semPermissao', 'Você não pode ver os pedidos.'))
    await expect.element(part.getByText('Você não pode ver os pedidos.')).toBeVisible()
    app.api.on('GET /pedidos', () => ok({ pedidos: [OLD], proximoCursor: null }))
    await part.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(part.getByText('Pedido nº 3')).toBeVisible()
    await part.getByRole('button', { name: 'Novo pedido' }).click()
    await expect.element(dialog.getByRole('searchbox', { name: 'Produto' })).toBeVisible()
  })
})

describe('Message of a made order', () => {
  const said = makeMensagem({
    ...{
      id: 'b1',
      texto: '✅ Pedido nº 12 recebido!',
      tipo: 'enviada',
      origem: 'bot',
      remetente: 'Bot',
      pedidoId: 'a',
    },
  })

  it('carries a card with the status, the sum and the next step', async () => {
    const app = openChat({ pedidos: [NEW], mensagens: [said] })
    await expect.element(chat.getByText('R$ 57,00')).toBeVisible()
    app.api.on('PUT /pedidos/a/status', () => refusal(409, 'passoInvalido', 'x'))
    const cancelled = { ...NEW, status: 'cancelado', atualizadoEm: new Date(Date.now() + 60_000).toISOString() }
    app.api.on('GET /pedidos/a', () => ok({ pedido: cancelled }))
    await chat.getByRole('button', { name: 'Preparar pedido nº 12' }).click()
    await expect.element(aviso('Outra pessoa já moveu este pedido.')).toBeVisible()
    await expect.element(chat.getByText('Cancelado')).toBeVisible()
    await chat.getByRole('button', { name: 'Pedido nº 12' }).click()
    await expect.element(dialog.getByText('1x Torta')).toBeVisible()
  })

  it('stays a text where the order cannot be read', async () => {
    const app = openChat({ mensagens: [said] })
    await expect.element(chat.getByText(/Pedido nº 12 recebido!/)).toBeVisible()
    await expect.poll(() => app.api.calls.some(({ route }) => route === 'GET /pedidos/a')).toBe(true)
    await expect.element(chat.getByRole('button', { name: /pedido nº 12/i })).not.toBeInTheDocument()
  })
})
