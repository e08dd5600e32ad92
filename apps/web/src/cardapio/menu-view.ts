import type { Cardapio, ProdutoCardapio } from '@balcao/contract/entities/cardapio'
import { foldText } from '@balcao/engine/rules/text'
import { create } from '#chat/dom.ts'
import { openOptions } from './options-dialog.ts'
import { type Order, moneyText } from './order.ts'
import { button, redraw, stepper } from './parts.ts'

const SEARCH_FROM = 12

/** Draws the page: cover, categories, produtos and the bar of the order. */
export function showMenuPage(page: HTMLElement, order: Order, openOrder: () => void): void {
  const cards: Card[] = []
  const main = create('main', {}, ...sections(order, cards))
  const bar = create('div', { class: 'barra' })
  const offline = create('p', { class: 'faixa', role: 'status' })
  page.replaceChildren(cover(order.cardapio), ...navigation(order.cardapio, cards), main, bar, offline)
  const draw = (): void => {
    for (const { update } of cards) update()
    redraw(bar, ...barOf(order, openOrder))
  }
  const showConnection = (): void => {
    offline.textContent = navigator.onLine ? '' : 'Sem conexão. Seu pedido fica guardado neste aparelho.'
  }
  addEventListener('online', showConnection)
  addEventListener('offline', showConnection)
  order.onChange(draw)
  draw()
  showConnection()
}

function cover({ nome, descricao, aberto, situacao, horario }: Cardapio): HTMLElement {
  const [word = '', ...rest] = situacao.split(', ')
  return create(
    'header',
    {},
    create('h1', {}, nome),
    ...(descricao === '' ? [] : [create('p', {}, descricao)]),
    create(
      'p',
      { class: aberto ? 'aberto' : 'fechado' },
      create('strong', {}, `${word.charAt(0).toUpperCase()}${word.slice(1)}`),
      rest.length === 0 ? '' : ` · ${rest.join(', ')}`,
    ),
    create('p', { class: 'fraco' }, `Horário: ${horario}`),
  )
}

function navigation({ categorias }: Cardapio, cards: readonly Card[]): HTMLElement[] {
  const named = categorias.filter(({ nome }) => nome !== '')
  const links = named.map(({ nome }) =>
    create('a', { href: `#c${categorias.findIndex((one) => one.nome === nome)}` }, nome),
  )
  const nav = create('nav', { 'aria-label': 'Categorias' }, ...links)
  return [...(named.length > 1 ? [nav] : []), ...(cards.length < SEARCH_FROM ? [] : [searchField(cards)])]
}

function searchField(cards: readonly Card[]): HTMLElement {
  const found = create('p', { class: 'fraco', role: 'status' })
  const input = create('input', {
    type: 'search',
    placeholder: 'Buscar no cardápio',
    'aria-label': 'Buscar no cardápio',
  })
  input.addEventListener('input', () => {
    const words = foldText(input.value).split(' ')
    for (const { element, words: text } of cards) element.hidden = !words.every((word) => text.includes(word))
    for (const section of document.querySelectorAll<HTMLElement>('main > section')) {
      section.hidden = section.querySelector('li:not([hidden])') === null
    }
    const count = cards.filter(({ element }) => !element.hidden).length
    found.textContent =
      input.value === '' ? '' : count === 0 ? 'Nenhum produto com este nome.' : `${count} no cardápio.`
  })
  return create('div', { class: 'busca', role: 'search' }, input, found)
}

function sections(order: Order, cards: Card[]): HTMLElement[] {
  const { categorias } = order.cardapio
  if (categorias.length === 0) return [create('p', { class: 'aviso' }, 'O cardápio ainda não tem produtos.')]
  return categorias.map(({ nome, produtos }, index) => {
    const own = produtos.map((produto) => createCard(order, produto))
    cards.push(...own)
    const title = nome === '' ? (categorias.length === 1 ? 'Produtos' : 'Outros') : nome
    const heading = create('h2', { id: `c${index}` }, title)
    const list = create('ul', {}, ...own.map(({ element }) => element))
    return create('section', { 'aria-labelledby': `c${index}` }, heading, list)
  })
}

interface Card {
  readonly element: HTMLLIElement
  /** Folded, for the search. */
  readonly words: string
  readonly update: () => void
}

function createCard(order: Order, { id, nome, descricao, imagemUrl }: ProdutoCardapio): Card {
  const action = create('div', { class: 'acao' })
  const price = create('strong', {})
  const picture =
    imagemUrl === null
      ? []
      : [create('img', { src: `${imagemUrl}?mini`, alt: '', loading: 'lazy', width: '88', height: '88' })]
  const text = create(
    'div',
    { class: 'texto' },
    create('h3', {}, nome),
    create('p', { class: 'fraco' }, descricao),
    price,
  )
  return {
    element: create('li', {}, ...picture, text, action),
    words: foldText(`${nome} ${descricao}`),
    update: () => {
      const produto = order.produto(id)
      price.textContent = produto === undefined ? '' : priceText(produto)
      redraw(action, ...(produto === undefined ? ['Saiu do cardápio'] : actionOf(order, produto)))
    },
  }
}

function priceText({ precoCentavos, grupos }: ProdutoCardapio): string {
  const grows = grupos.some(({ opcoes }) => opcoes.some(({ acrescimoCentavos }) => acrescimoCentavos > 0))
  return grows ? `a partir de ${moneyText(precoCentavos)}` : moneyText(precoCentavos)
}

function actionOf(order: Order, produto: ProdutoCardapio): (Node | string)[] {
  const { id, nome, grupos, disponivel } = produto
  if (!disponivel) return [create('span', { class: 'fraco' }, 'Indisponível')]
  if (!order.cardapio.aceitaAgora) return []
  const quantidade = order.countOf(id)
  const add = (): void => order.add({ produtoId: id, quantidade: 1, opcoes: [], observacao: '' })
  if (grupos.length > 0) {
    const chosen = quantidade === 0 ? [] : [create('span', { class: 'fraco' }, `${quantidade} no pedido`)]
    return [
      ...chosen,
      button(`Escolher ${nome}`, { class: 'leve', 'data-foco': id }, () => openOptions(order, produto), 'Escolher'),
    ]
  }
  if (quantidade === 0) {
    return [button(`Adicionar ${nome}`, { class: 'leve', 'data-foco': `${id} mais` }, add, 'Adicionar')]
  }
  return [stepper({ nome, quantidade, foco: id, onMinus: () => order.removeOne(id), onPlus: add })]
}

function barOf(order: Order, openOrder: () => void): Node[] {
  const { pedidos, aceitaAgora, whatsapp, situacao } = order.cardapio
  const chat = whatsapp === null ? [] : [create('a', { class: 'forte', href: whatsapp }, 'Falar com a loja')]
  if (!pedidos) return [create('p', {}, 'Os pedidos são feitos pela conversa.'), ...chat]
  if (!aceitaAgora) return [create('p', { role: 'status' }, `A loja está fechada: ${situacao}.`), ...chat]
  const { count } = order
  if (count === 0) return []
  const label = `Ver pedido · ${count} ${count === 1 ? 'item' : 'itens'} · ${moneyText(order.subtotal)}`
  return [button(label, { class: 'forte', 'data-foco': 'pedido' }, openOrder)]
}
