import type { ChangedItem, ErrorDetail } from '@balcao/contract/errors'
import type { ItemPedido, ItemPedidoInput } from '@balcao/contract/entities/pedido'
import { centavosOf, priceItem } from '@balcao/engine/pedidos/totals'
import type { Deps } from '#deps.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { lockProdutosToSell, type SellableProduto, takeStock } from '#modules/produtos/index.ts'

/**
 * Takes the items out of the stock and returns them with names, options and prices of this moment. The produtos stay
 * locked until the transaction ends. Throws `carrinhoMudou` with the items that cannot be sold, and `dadosInvalidos`
 * for options that do not fit.
 */
export async function sellItens(
  tx: Tx,
  deps: Pick<Deps, 'bots' | 'clock'>,
  contaId: string,
  wanted: readonly ItemPedidoInput[],
): Promise<ItemPedido[]> {
  const ids = [...new Set(wanted.map(({ produtoId }) => produtoId))].filter(isUuid)
  const produtos = new Map(
    (await lockProdutosToSell(tx, { i: ids.map((id) => ({ contaId, id })) })).map((produto) => [produto.id, produto]),
  )
  const amounts = amountsOf(wanted)
  const now = deps.clock.now().getTime()
  const gone = [...amounts].flatMap(([produtoId, amount]) => {
    const produto = produtos.get(produtoId)
    return isSellable(produto, amount, now) ? [] : [changedItem(produtoId, produto, now)]
  })
  if (gone.length > 0) throw new AppError('carrinhoMudou', { itens: gone })
  const itens = wanted.map((item, index) => priced(produtos.get(item.produtoId), item, index))
  await takeStock(tx, deps, [{ contaId, itens }])
  return itens
}

function amountsOf(wanted: readonly ItemPedidoInput[]): Map<string, number> {
  const amounts = new Map<string, number>()
  for (const { produtoId, quantidade } of wanted) amounts.set(produtoId, (amounts.get(produtoId) ?? 0) + quantidade)
  return amounts
}

function isSellable(produto: SellableProduto | undefined, amount: number, now: number): boolean {
  return produto !== undefined && availableOf(produto, now) >= amount
}

/** How many can be sold now. Infinity: the stock is not counted. */
export function availableOf(
  { ativo, estoque, pausadoAte }: Pick<SellableProduto, 'ativo' | 'estoque' | 'pausadoAte'>,
  now: number,
): number {
  if (!ativo || (pausadoAte !== null && Date.parse(pausadoAte) > now)) return 0
  return estoque ?? Number.POSITIVE_INFINITY
}

function changedItem(produtoId: string, produto: SellableProduto | undefined, now: number): ChangedItem {
  if (produto === undefined) return { produtoId, precoCentavos: 0, disponivel: 0 }
  const disponivel = availableOf(produto, now)
  // Without a counted stock the amount was not the reason.
  return {
    produtoId,
    precoCentavos: centavosOf(produto.preco),
    disponivel: Number.isFinite(disponivel) ? disponivel : null,
  }
}

function priced(produto: SellableProduto | undefined, item: ItemPedidoInput, index: number): ItemPedido {
  if (produto === undefined) throw new Error('a missing produto was sold')
  const result = priceItem(produto, item)
  if (result.tipo === 'item') return result.item
  const detalhe: ErrorDetail = {
    caminho: `itens.${index}.opcoes`,
    mensagem:
      result.tipo === 'opcao'
        ? `${produto.nome}: esta opção não existe mais.`
        : `${produto.nome}: escolha ${rangeOf(result.grupo)} em “${result.grupo.nome}”.`,
  }
  throw new AppError('dadosInvalidos', { erro: detalhe.mensagem, detalhes: [detalhe] })
}

function rangeOf({ minimo, maximo }: { readonly minimo: number; readonly maximo: number }): string {
  if (minimo === maximo) return String(minimo)
  return minimo === 0 ? `até ${maximo}` : `de ${minimo} a ${maximo}`
}
