import type { Config } from '@balcao/contract/entities/config'
import type { Cupom } from '@balcao/contract/entities/cupom'
import type { Pedido } from '@balcao/contract/entities/pedido'
import type { OrderOutcome } from '@balcao/engine/event'
import type { Cart } from '@balcao/engine/pedidos/cart'
import { pixCode, txidOf } from '@balcao/engine/pedidos/pix'
import {
  cupomRefusal,
  descontoOf,
  entregaCentavosOf,
  type PricedItem,
  priceItem,
  subtotalOf,
  sumsOf,
} from '@balcao/engine/pedidos/totals'
import { storedLine } from '#db/statement/line.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { lockProdutosToSell, type SellableProduto, takeStock } from '#modules/produtos/index.ts'
import { holdCupom } from './cupons.ts'
import { queueTicket } from './impressao/print-due.ts'
import { insertPedido, takeNumero } from './repository.ts'
import { availableOf } from './sell.ts'

export interface ConfirmRequest {
  readonly contaId: string
  readonly linhaId: string
  readonly contatoId: string
  readonly conversaId: string | null
  readonly cliente: string
  readonly empresa: string
  readonly config: Config
  /** Id of the coupon that the cart names. Null: none. */
  readonly cupomId: string | null
  readonly cart: Cart
  /** Local day of the shop. */
  readonly day: string
  readonly now: Date
}

type ConfirmDeps = Pick<Deps, 'bots' | 'ids' | 'realtime'>

/**
 * Makes the orders that customers confirmed in one batch, one after the other. Nothing of an order is made when a price,
 * the stock or the coupon changed. Never throws for what a customer can cause, because the batch has other customers.
 */
export async function confirmPedidos(
  tx: Tx,
  deps: ConfirmDeps,
  requests: readonly ConfirmRequest[],
): Promise<OrderOutcome[]> {
  // All of a conta at once and in order, so that two batches do not wait for each other.
  for (const contaId of [...new Set(requests.map((request) => request.contaId))].toSorted()) {
    const own = requests.filter((request) => request.contaId === contaId)
    const ids = [...new Set(own.flatMap(({ cart }) => cart.itens.map(({ produtoId }) => produtoId)))]
    await lockProdutosToSell(tx, { contaId, ids })
  }
  const outcomes: OrderOutcome[] = []
  for (const request of requests) outcomes.push(await confirmPedido(tx, deps, request))
  return outcomes
}

async function confirmPedido(tx: Tx, deps: ConfirmDeps, request: ConfirmRequest): Promise<OrderOutcome> {
  const { contaId, cart, config, now } = request
  const { entrega, pagamento } = cart
  const ids = cart.itens.map(({ produtoId }) => produtoId)
  const sellable = sellableItems(cart, await lockProdutosToSell(tx, { contaId, ids }), now.getTime())
  const itens = sellable.flatMap(({ priced }) => (priced?.tipo === 'item' ? [priced.item] : []))
  const subtotalCentavos = subtotalOf(itens)
  const fee = entrega === null ? null : entregaCentavosOf(config.loja, entrega, subtotalCentavos)
  if (!isUnchanged(cart, sellable) || fee === null || entrega === null || pagamento === null) {
    return { tipo: 'mudou', itens: sellable }
  }
  const cupom = await acceptCupom(tx, request, subtotalCentavos)
  if (cupom === 'recusado') return { tipo: 'cupomRecusado' }
  const desconto = cupom === null ? 0 : descontoOf(cupom, { subtotalCentavos, entregaCentavos: fee })
  await takeStock(tx, deps, contaId, unitsOf(cart))
  const id = deps.ids.uuid()
  const pedido = await insertPedido(tx, {
    ...{ contaId, id, dia: request.day, numero: await takeNumero(tx, { contaId, dia: request.day }) },
    ...{ contatoId: request.contatoId, conversaId: request.conversaId, cliente: request.cliente },
    ...{ linhaId: storedLine(request), itens, entrega, observacao: cart.observacao ?? '', now },
    ...sumsOf(subtotalCentavos, fee, desconto),
    ...{ forma: pagamento.forma, trocoCentavos: pagamento.trocoParaCentavos || null },
    ...{ txid: txidOf(id), cupomId: cupom?.id ?? null },
  })
  await queueTicket(tx, { contaId, pedidoId: id, config, now })
  tx.afterCommit(() => deps.realtime.publish(contaId, 'pedidoNovo', { userId: contaId, pedido }))
  const { numero, totalCentavos } = pedido
  return { tipo: 'feito', pedidoId: id, numero, totalCentavos, pix: pixOf(request, pedido) }
}

/** The coupon of the cart, locked until the transaction ends. Null: the cart names none. */
async function acceptCupom(
  tx: Tx,
  { contaId, contatoId, cupomId, cart, now }: ConfirmRequest,
  subtotalCentavos: number,
): Promise<Cupom | 'recusado' | null> {
  if (cart.cupom === null) return null
  const held = cupomId === null ? null : await holdCupom(tx, { contaId, id: cupomId, contatoId })
  if (held === null) return 'recusado'
  const { cupom, usados, doCliente } = held
  return cupomRefusal(cupom, { subtotalCentavos, now: now.getTime(), usados, doCliente }) === null ? cupom : 'recusado'
}

function pixOf({ config: { loja }, empresa }: ConfirmRequest, pedido: Pedido): string | null {
  const { pagamento, totalCentavos: valorCentavos, txid } = pedido
  return pagamento.forma === 'pix' ? pixCode(loja.pix, { valorCentavos, txid }, empresa) : null
}

interface SellableItem {
  readonly quantidade: number
  readonly precoCentavos: number
  readonly priced: PricedItem | null
}

function isUnchanged({ itens }: Cart, sellable: readonly SellableItem[]): boolean {
  return sellable.every(
    ({ quantidade, precoCentavos }, index) =>
      quantidade === itens[index]?.quantidade && precoCentavos === itens[index]?.precoCentavos,
  )
}

/** Items of one produto share its stock, the first ones first. Options that are gone make an item unavailable. */
function sellableItems({ itens }: Cart, produtos: readonly SellableProduto[], now: number): SellableItem[] {
  const left = new Map(produtos.map((produto) => [produto.id, availableOf(produto, now)]))
  return itens.map((item) => {
    const produto = produtos.find(({ id }) => id === item.produtoId)
    const priced = produto === undefined ? null : priceItem(produto, item)
    if (priced?.tipo !== 'item') return { quantidade: 0, precoCentavos: item.precoCentavos, priced: null }
    const quantidade = Math.min(item.quantidade, left.get(item.produtoId) ?? 0)
    left.set(item.produtoId, (left.get(item.produtoId) ?? 0) - quantidade)
    return { quantidade, precoCentavos: priced.item.precoCentavos, priced }
  })
}

function unitsOf({ itens }: Cart): { id: string; units: number }[] {
  const units = new Map<string, number>()
  for (const { produtoId, quantidade } of itens) units.set(produtoId, (units.get(produtoId) ?? 0) + quantidade)
  return [...units].map(([id, amount]) => ({ id, units: amount })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
