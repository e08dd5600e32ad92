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
import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { lockProdutosToSell, type SellableProduto, takeStock } from '#modules/produtos/index.ts'
import { type HeldCupom, holdCupons } from './cupons.ts'
import { queueTickets } from './impressao/print-due.ts'
import { insertPedidos, type NewPedido } from './repository.ts'
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
 * Makes the orders that customers confirmed in one batch, each of another contato, with one statement per kind. Nothing
 * of an order is made when a price, the stock or the coupon changed. Never throws for what a customer can cause, because
 * the batch has other customers. Returns the outcomes in any sequence.
 */
export async function confirmPedidos<R extends ConfirmRequest>(
  tx: Tx,
  deps: ConfirmDeps,
  requests: readonly R[],
): Promise<{ readonly request: R; readonly outcome: OrderOutcome }[]> {
  const offers = await holdOffers(tx, requests)
  const { accepted, refused } = judgeAll(offers, () => deps.ids.uuid())
  const [made] = await inOrder([insertPedidos(tx, accepted), takeStock(tx, deps, accepted)])
  await queueTickets(
    tx,
    made.map(({ request: { contaId, config, now }, id }) => ({ contaId, pedidoId: id, config, now })),
  )
  tx.afterCommit(() => {
    for (const { contaId, pedido } of made) deps.realtime.publish(contaId, 'pedidoNovo', { userId: contaId, pedido })
  })
  return [...refused, ...made.map(({ request, pedido }) => ({ request, outcome: doneOutcome(request, pedido) }))]
}

function doneOutcome({ config: { loja }, empresa }: ConfirmRequest, pedido: Pedido): OrderOutcome {
  const { id: pedidoId, numero, totalCentavos, pagamento, txid } = pedido
  const pix = pagamento.forma === 'pix' ? pixCode(loja.pix, { valorCentavos: totalCentavos, txid }, empresa) : null
  return { tipo: 'feito', pedidoId, numero, totalCentavos, pix }
}

/** A request, and what the shop sells at this moment. */
interface Offer<R extends ConfirmRequest> {
  readonly request: R
  readonly produtos: readonly SellableProduto[]
  /** Null: the cart names no coupon, or a deleted one. */
  readonly held: HeldCupom | null
}

/** Locks the produtos and coupons of the carts until the transaction ends. */
async function holdOffers<R extends ConfirmRequest>(tx: Tx, requests: readonly R[]): Promise<Offer<R>[]> {
  const wanted = requests.flatMap(({ contaId, cart }) => cart.itens.map(({ produtoId: id }) => ({ contaId, id })))
  const produtos = Map.groupBy(await lockProdutosToSell(tx, { i: wanted }), ({ contaId }) => contaId)
  const users = requests.flatMap((request) => (request.cupomId === null ? [] : [{ ...request, id: request.cupomId }]))
  const held = new Map((await holdCupons(tx, users)).map((one, n) => [users[n]?.contatoId, one]))
  return requests.map((request) => {
    const { contaId, contatoId } = request
    return { request, produtos: produtos.get(contaId) ?? [], held: held.get(contatoId) ?? null }
  })
}

/** Units of the produtos, without those of the orders that were accepted before. */
type Left = ReadonlyMap<SellableProduto, number>

interface Judged<R extends ConfirmRequest> {
  readonly accepted: readonly (NewPedido & { readonly request: R })[]
  readonly refused: readonly { readonly request: R; readonly outcome: OrderOutcome }[]
}

/** The first requests get the last units, and the last uses of a coupon. */
function judgeAll<R extends ConfirmRequest>(offers: readonly Offer<R>[], uuid: () => string): Judged<R> {
  const accepted: (NewPedido & { request: R })[] = []
  const refused: { request: R; outcome: OrderOutcome }[] = []
  const uses = new Map<Cupom, number>()
  let left: Left = new Map()
  for (const offer of offers) {
    const { request, held } = offer
    const { itens, after } = sellableItems(offer, left)
    const usados = held === null ? 0 : held.usados + (uses.get(held.cupom) ?? 0)
    const verdict = judge(request, itens, held === null ? null : { ...held, usados })
    if (verdict.tipo === 'aceito') {
      const id = uuid()
      accepted.push({ ...verdict.pedido, id, txid: txidOf(id), request })
      left = after
      if (held !== null) uses.set(held.cupom, (uses.get(held.cupom) ?? 0) + 1)
    } else refused.push({ request, outcome: verdict })
  }
  return { accepted, refused }
}

type Verdict =
  | { readonly tipo: 'aceito'; readonly pedido: Omit<NewPedido, 'id' | 'txid'> }
  | Exclude<OrderOutcome, { tipo: 'feito' }>

function judge(request: ConfirmRequest, sellable: readonly SellableItem[], held: HeldCupom | null): Verdict {
  const { contaId, contatoId, conversaId, cliente, cart, config, now } = request
  const { entrega, pagamento } = cart
  const itens = sellable.flatMap(({ priced }) => (priced?.tipo === 'item' ? [priced.item] : []))
  const subtotal = subtotalOf(itens)
  const fee = entrega === null ? null : entregaCentavosOf(config.loja, entrega, subtotal)
  if (!isUnchanged(cart, sellable) || fee === null || entrega === null || pagamento === null) {
    return { tipo: 'mudou', itens: sellable }
  }
  const desconto = cart.cupom === null ? 0 : discountOf(held, { subtotal, fee, now })
  if (desconto === null) return { tipo: 'cupomRecusado' }
  const pedido = {
    ...{ contaId, dia: request.day, contatoId, conversaId, cliente, linhaId: storedLine(request) },
    ...{ itens, entrega, observacao: cart.observacao ?? '', now, ...sumsOf(subtotal, fee, desconto) },
    ...{ forma: pagamento.forma, trocoCentavos: pagamento.trocoParaCentavos || null },
    cupomId: held?.cupom.id ?? null,
  }
  return { tipo: 'aceito', pedido }
}

/** Null: the coupon does not count any more. */
function discountOf(
  held: HeldCupom | null,
  { subtotal: subtotalCentavos, fee, now }: { subtotal: number; fee: number; now: Date },
): number | null {
  if (held === null) return null
  const { cupom, usados, doCliente } = held
  const refusal = cupomRefusal(cupom, { subtotalCentavos, now: now.getTime(), usados, doCliente })
  return refusal === null ? descontoOf(cupom, { subtotalCentavos, entregaCentavos: fee }) : null
}

function isUnchanged({ itens }: Cart, sellable: readonly SellableItem[]): boolean {
  return sellable.every(
    ({ quantidade, precoCentavos }, index) =>
      quantidade === itens[index]?.quantidade && precoCentavos === itens[index]?.precoCentavos,
  )
}

interface SellableItem {
  readonly quantidade: number
  readonly precoCentavos: number
  readonly priced: PricedItem | null
}

/** Items of one produto share its stock, the first ones first. Options that are gone make an item unavailable. */
function sellableItems(
  { request: { cart, now }, produtos }: Offer<ConfirmRequest>,
  left: Left,
): { itens: SellableItem[]; after: Left } {
  const after = new Map(left)
  const itens = cart.itens.map((item) => {
    const produto = produtos.find(({ id }) => id === item.produtoId)
    const priced = produto === undefined ? null : priceItem(produto, item)
    if (produto === undefined || priced?.tipo !== 'item') {
      return { quantidade: 0, precoCentavos: item.precoCentavos, priced: null }
    }
    const available = after.get(produto) ?? availableOf(produto, now.getTime())
    const quantidade = Math.min(item.quantidade, available)
    after.set(produto, available - quantidade)
    return { quantidade, precoCentavos: priced.item.precoCentavos, priced }
  })
  return { itens, after }
}
