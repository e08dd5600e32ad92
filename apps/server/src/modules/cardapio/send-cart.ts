import type { CarrinhoAceito, CarrinhoInput } from '@balcao/contract/entities/cardapio'
import type { ErrorDetail } from '@balcao/contract/errors'
import type { Cart } from '@balcao/engine/pedidos/cart'
import { cartSums, cupomOf, feeOf, waysOfPayment } from '@balcao/engine/pedidos/checkout'
import { cupomRefusal, subtotalOf } from '@balcao/engine/pedidos/totals'
import { formatReais } from '@balcao/engine/rules/loja'
import { CART_CODE_LENGTH, CART_CODE_SIGNS, isCartCode } from '@balcao/engine/stages/page-cart'
import { isOpenAt } from '@balcao/engine/rules/horario'
import type { Config } from '@balcao/contract/entities/config'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { listCupons } from '#modules/pedidos/index.ts'
import { listProdutosOf } from '#modules/produtos/index.ts'
import { whatsappUrl } from './build-cardapio.ts'
import { sellableCart } from './check-itens.ts'
import { type PageVisitor, readPageToken } from './link.ts'
import { findCart, insertCart, isDialogue, type StoredCart } from './repository.ts'
import type { Shop } from './shop.ts'

const VALID_MS = 24 * 3_600_000

export type SendCartDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'vault' | 'applyEventIn'>

/**
 * Stores the cart of a stranger under a code, or gives it to the customer of a signed link. A repeated id gets the answer
 * of the first one. `count` is called for a new cart only; it may throw, and returns how to take the count back.
 */
export async function sendCart(
  deps: SendCartDeps,
  { page, config }: Shop,
  input: CarrinhoInput,
  count: () => () => void,
): Promise<CarrinhoAceito> {
  const { contaId } = page
  const known = { contaId, id: input.id, now: deps.clock.now() }
  const counted: (() => void)[] = []
  const takeBack = (): void => counted.splice(0).forEach((undo) => undo())
  try {
    return await deps.db.transaction(contaId, async (tx) => {
      const before = await findCart(tx, known)
      if (before !== null) return toAnswer(before, page.numero)
      // A transaction may run again after a conflict.
      if (counted.length === 0) counted.push(count())
      const { cart, totalCentavos } = await checkCart(tx, { contaId, config, now: known.now }, input)
      const visitor = await findVisitor(tx, deps, contaId, input.t)
      const { stored, isNew } = await storeCart(tx, deps.ids, known, { cart, totalCentavos, visitor })
      if (!isNew) takeBack()
      if (isNew && visitor !== null) {
        const ref = { contaId, ...visitor }
        await deps.applyEventIn(tx, ref, (base) => ({ tipo: 'carrinhoDaPagina', carrinho: cart, ...base }))
      }
      return toAnswer(stored, page.numero)
    })
  } catch (error) {
    takeBack()
    throw error
  }
}

function toAnswer({ codigo, totalCentavos, noChat, expiraEm }: StoredCart, numero: string | null): CarrinhoAceito {
  const whatsapp = whatsappUrl({ numero }, noChat ? '' : `Pedido do cardápio: ${codigo}`)
  return { codigo, totalCentavos, noChat, expiraEm, whatsapp }
}

async function findVisitor(
  tx: Tx,
  deps: Pick<Deps, 'vault' | 'clock'>,
  contaId: string,
  token = '',
): Promise<PageVisitor | null> {
  const visitor = readPageToken(deps, contaId, token)
  return visitor !== null && (await isDialogue(tx, { contaId, ...visitor })) ? visitor : null
}

interface CheckedCart {
  readonly cart: Cart
  readonly totalCentavos: number
}

/** No price of the page counts. It only shows whether the customer saw the current one. */
async function checkCart(
  tx: Tx,
  { contaId, config, now }: { readonly contaId: string; readonly config: Config; readonly now: Date },
  input: CarrinhoInput,
): Promise<CheckedCart> {
  requireOrders(config, now)
  const { observacao, cupom = '' } = input
  const wanted = input.itens.map(({ produtoId }) => produtoId)
  const cart: Cart = {
    ...{ entrega: input.entrega, pagamento: pagamentoOf(input), mudouEm: now.getTime() },
    itens: sellableCart(input.itens, await listProdutosOf(tx, contaId, wanted), now.getTime()),
    cupom: cupom === '' ? null : cupom.toUpperCase(),
    ...(observacao === undefined ? {} : { observacao }),
  }
  const context = { config, cupons: cart.cupom === null ? [] : await listCupons(tx, contaId) }
  requirePlace(context, cart, input.entrega)
  if (!waysOfPayment(context).includes(input.pagamento.forma)) {
    throw invalid('pagamento.forma', 'A loja não aceita este pagamento.')
  }
  if (!isCupomValid(context, cart, now)) throw invalid('cupom', 'Este cupom não vale para este pedido.')
  return { cart, totalCentavos: cartSums(context, cart, now.getTime()).totalCentavos }
}

/** The page asked for the change, so an absent one means that none is needed. */
function pagamentoOf({ pagamento: { forma, trocoParaCentavos = 0 } }: CarrinhoInput): Cart['pagamento'] {
  return forma === 'dinheiro' ? { forma, trocoParaCentavos } : { forma }
}

type Context = Parameters<typeof cartSums>[0]

function requirePlace(context: Context, cart: Cart, { tipo, endereco }: CarrinhoInput['entrega']): void {
  if (feeOf(context, cart) === null) throw new AppError('foraDaEntrega')
  if (tipo !== 'entrega') return
  if (endereco.length < 5) throw invalid('entrega.endereco', 'Escreva a rua e o número.')
  const { minimoCentavos } = context.config.loja.entrega
  if (subtotalOf(cart.itens) < minimoCentavos) {
    throw invalid('itens', `Entregamos pedidos a partir de ${formatReais(minimoCentavos / 100)}.`)
  }
}

/** Uses are counted when the order is confirmed. */
function isCupomValid(context: Context, { cupom: codigo, itens }: Cart, now: Date): boolean {
  if (codigo === null) return true
  const cupom = cupomOf(context, codigo)
  const facts = { subtotalCentavos: subtotalOf(itens), now: now.getTime(), usados: 0, doCliente: 0 }
  return cupom !== null && cupomRefusal(cupom, facts) === null
}

function requireOrders({ loja, atendimento }: Config, now: Date): void {
  if (!loja.pedidos) throw new AppError('lojaFechada', { erro: 'A loja recebe pedidos só pela conversa.' })
  if (!loja.pedirFechado && !isOpenAt(atendimento.horario, now.getTime())) throw new AppError('lojaFechada')
}

function invalid(caminho: string, mensagem: string): AppError {
  const detalhes: ErrorDetail[] = [{ caminho, mensagem }]
  return new AppError('dadosInvalidos', { erro: mensagem, detalhes })
}

/**
 * Codes of one shop are unique while they last. Another tab may store the same id at the same time. The insert deletes
 * expired carts, so an expired one with the id or the code is absent in the next attempt.
 */
async function storeCart(
  tx: Tx,
  ids: Deps['ids'],
  known: { readonly contaId: string; readonly id: string; readonly now: Date },
  { cart, totalCentavos, visitor }: CheckedCart & { readonly visitor: PageVisitor | null },
): Promise<{ readonly stored: StoredCart; readonly isNew: boolean }> {
  const expiraEm = new Date(known.now.getTime() + VALID_MS)
  const owner =
    visitor === null
      ? { contatoId: null, carrinho: cart, noChat: false }
      : { contatoId: visitor.contatoId, carrinho: null, noChat: true }
  for (;;) {
    const codigo = randomCode(ids)
    if (await insertCart(tx, { ...known, codigo, totalCentavos, ...owner, expiraEm })) {
      const { noChat } = owner
      return { stored: { codigo, totalCentavos, noChat, expiraEm: expiraEm.toISOString() }, isNew: true }
    }
    const stored = await findCart(tx, known)
    if (stored !== null) return { stored, isNew: false }
  }
}

function randomCode(ids: Deps['ids']): string {
  for (;;) {
    const bytes = [...Buffer.from(ids.token(), 'base64url').subarray(0, CART_CODE_LENGTH)]
    const code = bytes.map((byte) => CART_CODE_SIGNS[byte % CART_CODE_SIGNS.length]).join('')
    if (isCartCode(code)) return code
  }
}
