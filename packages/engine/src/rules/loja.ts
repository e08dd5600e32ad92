import { LOJA_POR_PAGINA } from '@balcao/contract/constants'
import type { Escolha } from '@balcao/contract/entities/mensagem'
import type { ProdutoLoja } from '#context.ts'

/** WhatsApp cuts the caption of a picture after 1024 characters. */
export const CAPTION_MAX = 1024

const currencyFormat = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Returns `R$ 1.234,56` with an ordinary space, because messaging apps break lines badly at a non-breaking one. */
export function formatReais(value: number): string {
  return currencyFormat.format(value).replace(/\s/g, ' ')
}

interface PageItem {
  readonly numero: number
  readonly nome: string
  /** The produto as sold now. Undefined: not sold any more. */
  readonly current: ProdutoLoja | undefined
}

/** Returns 8 items per page. `pagina` counts from 0. `items` is the list first shown, which keeps the numbers stable. */
function pageOf(
  items: readonly Pick<ProdutoLoja, 'id' | 'nome'>[],
  active: readonly ProdutoLoja[],
  page: number,
): PageItem[] {
  const first = page * LOJA_POR_PAGINA
  return items.slice(first, first + LOJA_POR_PAGINA).map(({ id, nome }, index) => {
    const current = active.find((produto) => produto.id === id)
    return { numero: first + index + 1, nome: current?.nome ?? nome, current }
  })
}

/** Returns the text of one page of the catalogue. `active`: the produtos that are sold now. */
export function catalogueText(...[items, active, page]: Parameters<typeof pageOf>): string {
  const lines = pageOf(items, active, page).map(({ numero, nome, current }) => {
    const tail = current === undefined ? '_(indisponível)_' : formatReais(current.preco)
    return `*${numero}* - ${nome} · ${tail}`
  })
  const mais = items.length > LOJA_POR_PAGINA ? ' · *mais* para ver outros' : ''
  return `${lines.join('\n')}\n\nResponda com o número do produto${mais} · *0* para voltar ao menu`
}

/** The answers that the page offers. */
export function catalogueChoices(...[items, active, page]: Parameters<typeof pageOf>): Escolha[] {
  return [
    ...pageOf(items, active, page).map(({ numero, nome }) => ({ id: String(numero), titulo: nome })),
    ...(items.length > LOJA_POR_PAGINA ? [{ id: 'mais', titulo: 'Ver outros' }] : []),
    { id: '0', titulo: 'Voltar ao menu' },
  ]
}

/** Name, description, price and link of a produto as the bot sends them, without the picture. */
/** As a person sends it: without the options of the bot's menu. */
export function produtoSheet({ nome, descricao, preco, linkCheckout = '' }: ProdutoLoja): string {
  const link = linkCheckout === '' ? '' : `🛒 Comprar: ${linkCheckout}`
  const parts = [`*${nome}*`, descricao, `💰 ${formatReais(preco)}`, link]
  return parts.filter((part) => part.trim() !== '').join('\n\n')
}

export function produtoText(produto: ProdutoLoja): string {
  return `${produtoSheet(produto)}\n\n*0* para voltar ao menu · *mais* para ver outros`
}
