import type { CarrinhoInput } from '@balcao/contract/entities/cardapio'
import type { Produto } from '@balcao/contract/entities/produto'
import type { ChangedItem } from '@balcao/contract/errors'
import type { CartItem } from '@balcao/engine/pedidos/cart'
import { centavosOf, type PricedItem, priceItem } from '@balcao/engine/pedidos/totals'
import { AppError } from '#errors.ts'
import { availableOf } from '#modules/pedidos/index.ts'

type Wanted = CarrinhoInput['itens']

/** The items with names and prices of now. Throws `carrinhoMudou` with those whose price, options or stock differ. */
export function sellableCart(wanted: Wanted, produtos: readonly Produto[], now: number): CartItem[] {
  const byId = new Map(produtos.map((produto) => [produto.id, produto]))
  const priced = wanted.map((item) => priceOf(byId.get(item.produtoId), item))
  const changed = wanted.flatMap((item, index): ChangedItem[] => {
    const produto = byId.get(item.produtoId)
    const price = priced[index]
    const disponivel = produto === undefined ? 0 : leftOf(produto, now)
    const amount = wanted.reduce((sum, one) => sum + (one.produtoId === item.produtoId ? one.quantidade : 0), 0)
    if (produto === undefined || price?.tipo !== 'item') {
      return [
        {
          produtoId: item.produtoId,
          precoCentavos: produto === undefined ? 0 : centavosOf(produto.preco),
          disponivel: 0,
        },
      ]
    }
    const { precoCentavos } = price.item
    const isSame = item.precoCentavos === undefined || item.precoCentavos === precoCentavos
    if (isSame && (disponivel === null || disponivel >= amount)) return []
    return [{ produtoId: item.produtoId, precoCentavos, disponivel }]
  })
  if (changed.length > 0) throw new AppError('carrinhoMudou', { itens: changed })
  return priced.flatMap((price, index) =>
    price?.tipo === 'item' ? [toCartItem(price.item, wanted[index]?.opcoes)] : [],
  )
}

function priceOf(produto: Produto | undefined, item: Wanted[number]): PricedItem | null {
  const { produtoId, quantidade, opcoes = [], observacao = '' } = item
  return produto === undefined ? null : priceItem(produto, { produtoId, quantidade, opcoes, observacao })
}

/** Null: not counted. */
function leftOf(produto: Produto, now: number): number | null {
  const available = availableOf({ ...produto, pausadoAte: produto.pausadoAte ?? null }, now)
  return Number.isFinite(available) ? available : null
}

function toCartItem(
  { opcoes: named, ...item }: Extract<PricedItem, { tipo: 'item' }>['item'],
  opcoes: readonly string[] = [],
): CartItem {
  return { ...item, opcoes: [...opcoes], detalhes: named.map(({ nome }) => nome) }
}
