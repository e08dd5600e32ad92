import type { FORMAS_PAGAMENTO } from '@balcao/contract/constants'
import type { Cupom } from '@balcao/contract/entities/cupom'
import type { Entrega } from '@balcao/contract/entities/pedido'
import type { BotContext } from '#context.ts'
import { foldText, wordsOf } from '#rules/text.ts'
import { type Cart, itemText, reais } from './cart.ts'
import type { Asked, Question } from './questions.ts'
import { cupomRefusal, descontoOf, entregaCentavosOf, subtotalOf, type Sums, sumsOf } from './totals.ts'

/** From a cart to its summary: delivery, address, payment. Each answer fills one part of the cart. */

type Forma = (typeof FORMAS_PAGAMENTO)[number]
type CheckoutQuestion = Exclude<Question['tipo'], 'grupo' | 'produto'>
type ShopContext = Pick<BotContext, 'config' | 'cupons'>

const LABELS: Readonly<Record<Forma, string>> = { pix: 'PIX', dinheiro: 'Dinheiro', cartao: 'Cartão' }

/** Ways of payment that the shop can take now. */
export function waysOfPayment({ config: { loja } }: ShopContext): readonly Forma[] {
  return loja.pagamentos.filter((forma) => forma !== 'pix' || loja.pix.chave !== '')
}

/** Fills what the shop leaves no choice about. */
export function withOnlyChoices(context: ShopContext, cart: Cart): Cart {
  const { entrega, retirada } = context.config.loja
  const only = waysOfPayment(context)
  const [first] = only
  const tipo = entrega.ativa === retirada ? null : entrega.ativa ? 'entrega' : 'retirada'
  return {
    ...cart,
    entrega: cart.entrega ?? (tipo === null ? null : { tipo, endereco: '', bairro: '', cep: '' }),
    pagamento: cart.pagamento ?? (only.length === 1 && first !== undefined ? { forma: first } : null),
  }
}

/** The first part of the cart that is missing. */
export function nextQuestion(context: ShopContext, cart: Cart): CheckoutQuestion {
  const { entrega, pagamento } = cart
  if (entrega === null) return 'entrega'
  if (entrega.tipo === 'entrega' && entrega.endereco === '') return 'endereco'
  if (feeOf(context, cart) === null) return 'bairro'
  if (pagamento === null) return 'pagamento'
  return pagamento.forma === 'dinheiro' && pagamento.trocoParaCentavos === undefined ? 'troco' : 'resumo'
}

export function feeOf({ config: { loja } }: ShopContext, { entrega, itens }: Cart): number | null {
  return entrega === null ? null : entregaCentavosOf(loja, entrega, subtotalOf(itens))
}

export function cupomOf({ cupons = [] }: ShopContext, codigo: string | null): Cupom | null {
  return codigo === null ? null : (cupons.find((cupom) => cupom.codigo === codigo.toUpperCase()) ?? null)
}

const REFUSALS = {
  inativo: 'não vale mais',
  vencido: 'venceu',
  minimo: 'precisa de um pedido maior',
  esgotado: 'já foi usado',
} as const

/** The cart with this coupon if it counts, and the answer to the customer. */
export function withCupom(
  context: ShopContext,
  cart: Cart,
  codigo: string,
  now: number,
): { readonly cart: Cart; readonly told: string } {
  const cupom = cupomOf(context, codigo)
  if (cupom === null) return { cart, told: `🎟️ O cupom ${codigo} não existe.` }
  const subtotalCentavos = subtotalOf(cart.itens)
  const refusal = cupomRefusal(cupom, { subtotalCentavos, now, usados: 0, doCliente: 0 })
  // The sum may still grow.
  if (refusal !== null && refusal !== 'minimo') return { cart, told: `🎟️ O cupom ${codigo} ${REFUSALS[refusal]}.` }
  const least = refusal === 'minimo' ? ` Vale a partir de ${reais(cupom.minimoCentavos)}.` : ''
  return { cart: { ...cart, cupom: cupom.codigo }, told: `🎟️ Cupom ${cupom.codigo} anotado.${least}` }
}

/** Sums of the cart as far as it is known. Uses of the coupon are counted when the order is confirmed. */
export function cartSums(context: ShopContext, cart: Cart, now: number): Sums {
  const subtotalCentavos = subtotalOf(cart.itens)
  const entregaCentavos = feeOf(context, cart) ?? 0
  const cupom = cupomOf(context, cart.cupom)
  const counts = cupom !== null && cupomRefusal(cupom, { subtotalCentavos, now, usados: 0, doCliente: 0 }) === null
  const desconto = counts ? descontoOf(cupom, { subtotalCentavos, entregaCentavos }) : 0
  return sumsOf(subtotalCentavos, entregaCentavos, desconto)
}

const CHOOSE = 'Responda com o número.'

function numbered(title: string, options: readonly string[]): Asked {
  const lines = options.map((option, index) => `*${index + 1}* - ${option}`)
  return {
    texto: `${title}\n${lines.join('\n')}\n${CHOOSE}`,
    escolhas: options.map((titulo, index) => ({ id: String(index + 1), titulo })),
  }
}

const plain = (texto: string): Asked => ({ texto, escolhas: [] })

export function ask(context: ShopContext, cart: Cart, question: CheckoutQuestion, now: number): Asked {
  switch (question) {
    case 'entrega':
      return numbered('Como prefere receber?', ['Entrega', 'Retirar na loja'])
    case 'endereco':
      return plain('📍 Qual é o endereço da entrega? Escreva rua, número, bairro e CEP.')
    case 'bairro':
      return plain('📍 Qual é o bairro, ou o CEP? Com ele calculo a entrega.')
    case 'pagamento':
      return numbered(
        '💳 Como prefere pagar?',
        waysOfPayment(context).map((forma) => LABELS[forma]),
      )
    case 'troco':
      return plain('💵 Precisa de troco? Escreva para quanto, ou *não*.')
    case 'resumo':
      return {
        texto: `${summaryOf(context, cart, now)}\n\nEstá tudo certo? Responda *confirmar*. Para mudar, escreva o que muda.`,
        escolhas: [
          { id: 'confirmar', titulo: 'Confirmar' },
          { id: 'carrinho', titulo: 'Mudar' },
        ],
      }
  }
}

/** Items, sums, place, payment and note. */
export function summaryOf(context: ShopContext, cart: Cart, now: number): string {
  const { observacao = '' } = cart
  const lines = [
    ...cart.itens.map((item) => `• ${itemText(item)}`),
    '',
    ...sumLines(cart, cartSums(context, cart, now)),
    '',
    ...placeLines(cart),
    ...(observacao === '' ? [] : [`📝 ${observacao}`]),
  ]
  return `🧾 *Resumo do pedido*\n${lines.join('\n')}`
}

function sumLines({ entrega, cupom }: Cart, sums: Sums): string[] {
  const { subtotalCentavos, entregaCentavos, descontoCentavos, totalCentavos } = sums
  const fee = entregaCentavos === 0 ? 'grátis' : reais(entregaCentavos)
  const code = cupom === null ? '' : ` (${cupom})`
  return [
    `Subtotal: ${reais(subtotalCentavos)}`,
    ...(entrega?.tipo === 'entrega' ? [`Entrega: ${fee}`] : []),
    ...(descontoCentavos === 0 ? [] : [`Desconto${code}: - ${reais(descontoCentavos)}`]),
    `*Total: ${reais(totalCentavos)}*`,
  ]
}

function placeLines({ entrega, pagamento }: Cart): string[] {
  const place = entrega?.tipo === 'entrega' ? `📍 ${addressText(entrega)}` : '🏪 Retirar na loja'
  if (pagamento === null) return [place]
  const { forma, trocoParaCentavos: troco = 0 } = pagamento
  return [place, `💳 ${LABELS[forma]}${troco === 0 ? '' : `, troco para ${reais(troco)}`}`]
}

/** The neighbourhood stands behind an address that does not name it. */
function addressText({ endereco, bairro }: Entrega): string {
  return bairro === '' || namesPlace(endereco, bairro) ? endereco : `${endereco}, ${bairro}`
}

function namesPlace(text: string, bairro: string): boolean {
  return ` ${wordsOf(text).join(' ')} `.includes(` ${wordsOf(bairro).join(' ')} `)
}

/** The cart with this answer, or the reason why it is none. */
export type CheckoutAnswer = { readonly cart: Cart } | { readonly problem: string } | null

const YES_PICK_UP = new Set(['2', 'retirar', 'retirada', 'buscar', 'retiro', 'pego', 'loja', 'balcao', 'busco'])
const YES_DELIVERY = new Set(['1', 'entrega', 'entregar', 'delivery', 'entregue', 'manda'])
const CEP = /\b(\d{5})[-. ]?(\d{3})\b/

/** Reads the answer to a question. Null: the text is no answer to it, and may be an order. */
export function answerQuestion(
  context: ShopContext,
  cart: Cart,
  question: CheckoutQuestion,
  text: string,
): CheckoutAnswer {
  switch (question) {
    case 'entrega':
      return readTipo(cart, wordsOf(text))
    case 'endereco':
      return readEndereco(context, cart, text)
    case 'bairro':
      return readBairro(context, cart, text)
    case 'pagamento':
      return readForma(context, cart, wordsOf(text))
    case 'troco':
      return readTroco(context, cart, text)
    case 'resumo':
      return null
  }
}

function readEndereco(context: ShopContext, cart: Cart, text: string): CheckoutAnswer {
  const endereco = text.trim().slice(0, 300)
  if (endereco.length < 5) return { problem: 'Escreva o endereço completo, com rua e número.' }
  return {
    cart: { ...cart, entrega: { tipo: 'entrega', endereco, bairro: bairroIn(context, text), cep: cepIn(text) } },
  }
}

function readBairro(context: ShopContext, cart: Cart, text: string): CheckoutAnswer {
  const words = wordsOf(text)
  const cep = cepIn(text)
  const bairro = bairroIn(context, text) || (cep === '' ? text.trim().slice(0, 80) : '')
  const entrega = { tipo: 'entrega', endereco: cart.entrega?.endereco ?? '', bairro, cep } as const
  if (feeOf(context, { ...cart, entrega }) !== null) return { cart: { ...cart, entrega } }
  const { retirada } = context.config.loja
  if (retirada && YES_PICK_UP.has(words[0] ?? '')) return readTipo(cart, words)
  const place = bairro === '' ? 'neste CEP' : `em ${bairro}`
  return { problem: `😕 Ainda não entregamos ${place}.${retirada ? ' Se preferir, escreva *retirar*.' : ''}` }
}

function readTipo(cart: Cart, words: readonly string[]): CheckoutAnswer {
  const pickUp = words.some((word) => YES_PICK_UP.has(word))
  const delivery = words.some((word) => YES_DELIVERY.has(word))
  if (pickUp === delivery) return null
  return { cart: { ...cart, entrega: { tipo: pickUp ? 'retirada' : 'entrega', endereco: '', bairro: '', cep: '' } } }
}

function readForma(context: ShopContext, cart: Cart, words: readonly string[]): CheckoutAnswer {
  const formas = waysOfPayment(context)
  const named = formas.filter((forma, index) =>
    words.some(
      (word) =>
        word === String(index + 1) || word === wordsOf(LABELS[forma]).join(' ') || SPELLINGS[forma].includes(word),
    ),
  )
  const [forma] = named
  return named.length === 1 && forma !== undefined ? { cart: { ...cart, pagamento: { forma } } } : null
}

const SPELLINGS: Readonly<Record<Forma, readonly string[]>> = {
  pix: ['pix', 'piks'],
  dinheiro: ['dinheiro', 'especie', 'vivo'],
  cartao: ['cartao', 'credito', 'debito', 'maquininha'],
}

/** 0 means that no change is needed. */
function readTroco(context: ShopContext, cart: Cart, text: string): CheckoutAnswer {
  const forma = 'dinheiro' as const
  if (/^(?:nao|n|sem|certo|trocado|tenho)\b/.test(foldText(text)) && !/\d/.test(text)) {
    return { cart: { ...cart, pagamento: { forma, trocoParaCentavos: 0 } } }
  }
  const amount = /(\d{1,5})(?:[.,](\d{2}))?(?!\d)/.exec(text)
  if (amount === null) return null
  const centavos = Number(amount[1]) * 100 + Number(amount[2] ?? '0')
  const { totalCentavos } = cartSums(context, cart, cart.mudouEm)
  if (centavos < totalCentavos) return { problem: `O total é ${reais(totalCentavos)}. Para quanto é o troco?` }
  return { cart: { ...cart, pagamento: { forma, trocoParaCentavos: centavos } } }
}

function cepIn(text: string): string {
  const found = CEP.exec(text)
  return found === null ? '' : `${found[1]}${found[2]}`
}

/** The neighbourhood of a fee that the text names, as the shop writes it. The longest name wins. */
function bairroIn({ config: { loja } }: ShopContext, text: string): string {
  const named = loja.entrega.taxas
    .map(({ bairro = '' }) => bairro)
    .filter((bairro) => bairro !== '' && namesPlace(text, bairro))
  return named.toSorted((a, b) => b.length - a.length)[0] ?? ''
}
