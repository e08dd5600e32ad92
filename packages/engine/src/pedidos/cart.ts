import * as z from 'zod/mini'
import { QUANTIDADE_MAXIMA } from '@balcao/contract/entities/pedido'
import { FORMAS_PAGAMENTO } from '@balcao/contract/constants'
import { formatReais } from '#rules/loja.ts'
import { subtotalOf } from './totals.ts'

/** The cart of a customer, stored with the state of the bot. Prices are those that the customer saw. */

const itemSchema = () =>
  z.object({
    ...{ produtoId: z.string(), nome: z.string(), quantidade: z.int(), opcoes: z.array(z.string()) },
    /** Names of the chosen options. */
    detalhes: z.array(z.string()),
    ...{ observacao: z.string(), precoCentavos: z.int() },
  })

export const createCartSchema = () =>
  z.object({
    itens: z.array(itemSchema()),
    cupom: z.nullable(z.string()),
    entrega: z.nullable(
      z.object({
        tipo: z.enum(['entrega', 'retirada']),
        ...{ endereco: z.string(), bairro: z.string(), cep: z.string() },
      }),
    ),
    pagamento: z.nullable(z.object({ forma: z.enum(FORMAS_PAGAMENTO), trocoParaCentavos: z.optional(z.int()) })),
    /** For the whole order. Only carts of the page have one. */
    observacao: z.optional(z.string()),
    /** Instant of the last change, in ms. */
    mudouEm: z.number(),
    /** The customer was reminded of it. */
    lembrado: z.optional(z.literal(true)),
  })

export type Cart = z.infer<ReturnType<typeof createCartSchema>>
export type CartItem = Cart['itens'][number]

export function emptyCart(now: number): Cart {
  return { itens: [], cupom: null, entrega: null, pagamento: null, mudouEm: now }
}

const isSame = (a: CartItem, b: CartItem): boolean =>
  a.produtoId === b.produtoId && a.observacao === b.observacao && a.opcoes.join() === b.opcoes.join()

/** Joins an item with an equal one. Null when there would be too many of it. */
export function addItem(cart: Cart, item: CartItem): Cart | null {
  const at = cart.itens.findIndex((one) => isSame(one, item))
  if (at === -1) return { ...cart, itens: [...cart.itens, item] }
  return setQuantity(cart, at, (cart.itens[at]?.quantidade ?? 0) + item.quantidade, item.precoCentavos)
}

/** 0 takes the item out. Null above the greatest quantity. */
export function setQuantity(cart: Cart, at: number, quantidade: number, price?: number): Cart | null {
  if (quantidade > QUANTIDADE_MAXIMA) return null
  const itens = cart.itens.flatMap((item, index) => {
    if (index !== at) return [item]
    return quantidade <= 0 ? [] : [{ ...item, quantidade, precoCentavos: price ?? item.precoCentavos }]
  })
  return { ...cart, itens }
}

/** The place of the item that an act means: of several produtos the one in the cart, without names the last item. */
export function placeOf({ itens }: Cart, produtoIds: readonly string[]): number {
  if (produtoIds.length === 0) return itens.length - 1
  return itens.findLastIndex(({ produtoId }) => produtoIds.includes(produtoId))
}

export const reais = (centavos: number): string => formatReais(centavos / 100)

export function itemText({ quantidade, nome, precoCentavos, detalhes, observacao }: CartItem): string {
  const extras = [...detalhes, ...(observacao === '' ? [] : [observacao])]
  const tail = extras.length === 0 ? '' : ` (${extras.join(', ')})`
  return `${quantidade}x ${nome}${tail} · ${reais(quantidade * precoCentavos)}`
}

/** Items with their numbers, and their sum. */
export function cartText({ itens, cupom }: Cart): string {
  const lines = itens.map((item, index) => `*${index + 1}* - ${itemText(item)}`)
  const coupon = cupom === null ? '' : `\nCupom: ${cupom}`
  return `🛒 *Seu pedido*\n${lines.join('\n')}\n\nSubtotal: *${reais(subtotalOf(itens))}*${coupon}`
}
