import type { OrderAct } from './acts.ts'
import type { CatalogueIndex, KnownToken } from './catalogue-index.ts'
import { HALVES } from './lexicon.ts'
import { matchName, type NameMatch } from './match.ts'

/** State of one pass over a text, and the acts that it ends in. */

const QUANTITY_MAX = 999

/** `ignore`: named only to be excluded, as in 'e não 3'. */
export type Mode = 'order' | 'question' | 'remove' | 'ignore'

/** A produto that the text names, until the text ends. */
export interface OrderItem {
  produtos: readonly number[]
  /** False if the text has words that the name lacks, or several produtos fit. */
  sure: boolean
  quantity: number | null
  mode: Mode | 'set'
  readonly options: string[]
  readonly grupos: number[]
  readonly notes: string[]
  readonly start: number
  end: number
}

export interface Walk {
  readonly tokens: readonly KnownToken[]
  readonly index: CatalogueIndex
  /** By token: true if its sentence ends with '?'. */
  readonly asked: readonly boolean[]
  /** By token: true if a number is the last word before the next break or 'e'. */
  readonly endsWithNumber: readonly boolean[]
  /** Matches by token, found once. */
  readonly names: (NameMatch | null | undefined)[]
  readonly entries: (OrderItem | OrderAct)[]
  mode: Mode
  /** True if the question names what it wants: 'tem', 'quanto é'. */
  asks: boolean
  /** True after a verb of ordering in this segment. */
  verb: boolean
  correcting: boolean
  chatter: boolean
  tail: boolean
  /** True in an address. */
  skipping: boolean
  /** True behind 'ou'. */
  either: boolean
  quantity: number | null
  unsureQuantity: boolean
  /** The open item takes options and notes. */
  item: OrderItem | null
  /** True while only words that describe the item stand between it and the next token. */
  touching: boolean
  /** Positions of words that fit nothing. */
  unknown: number[]
  segmentStart: number
  /** The produto that 'quero 2' means. */
  shown: number | null
}

export function startWalk(tokens: readonly KnownToken[], index: CatalogueIndex, shown: number | null): Walk {
  const asked: boolean[] = []
  const endsWithNumber: boolean[] = []
  for (const [at, token] of [...tokens.entries()].toReversed()) {
    const isEnd = token.kind === 'hard' || token.kind === 'question'
    asked[at] = isEnd ? token.kind === 'question' : asked[at + 1] === true
    const next = tokens[at + 1] ?? END
    endsWithNumber[at] = !isText(next) || next.word === 'e' ? token.kind === 'number' : endsWithNumber[at + 1] === true
  }
  return {
    ...{ tokens, index, asked, endsWithNumber, names: [], entries: [], mode: asked[0] === true ? 'question' : 'order' },
    ...{ asks: false, verb: false, correcting: false, chatter: false, tail: false, skipping: false, either: false },
    ...{ quantity: null, unsureQuantity: false, item: null, touching: false, unknown: [], segmentStart: 0, shown },
  }
}

const END: KnownToken = {
  ...{ kind: 'hard', raw: '', word: '', stem: '', value: NaN, times: false, ids: [], measureIds: [], errors: 0 },
}

/** The token at a position, or a break behind the last one. */
export const tokenAt = (walk: Walk, at: number): KnownToken => walk.tokens[at] ?? END

export const isText = ({ kind }: KnownToken): boolean => kind === 'word' || kind === 'number'

/** The produto of an item for which only one fits, or -1. */
export const onlyProduto = (item: OrderItem | null): number =>
  item?.produtos.length === 1 ? (item.produtos[0] ?? -1) : -1

export const wordAt = (walk: Walk, at: number): string => tokenAt(walk, at).word

/** The name of a produto at `at`. */
export function nameAt({ tokens, index, names }: Walk, at: number): NameMatch | null {
  const ready = names[at]
  if (ready !== undefined) return ready
  const match = matchName(tokens, at, index)
  names[at] = match
  return match
}

export const isItem = (entry: OrderItem | OrderAct): entry is OrderItem => 'produtos' in entry

/** The words from `start` to before `end` as the customer wrote them. */
export function rawText({ tokens }: Walk, start: number, end: number): string {
  return tokens
    .slice(start, end)
    .filter(isText)
    .map(({ raw }) => raw)
    .join(' ')
}

/** Adds an item with the pending quantity and opens it for options and notes. */
export function openItem(walk: Walk, found: Pick<OrderItem, 'produtos' | 'sure' | 'start' | 'end'>): OrderItem {
  const { quantity, unsureQuantity, mode } = walk
  const item: OrderItem = {
    ...{ ...found, sure: found.sure && !unsureQuantity, quantity, mode, options: [], grupos: [], notes: [] },
  }
  walk.quantity = null
  walk.unsureQuantity = false
  walk.item = item
  walk.touching = true
  walk.tail = false
  if (walk.either && joinAlternative(walk, item)) return item
  if (walk.correcting && mode === 'order') correct(walk, item)
  else walk.entries.push(item)
  walk.either = false
  walk.correcting = false
  if (mode === 'question' && item.produtos.length === 1) walk.shown = item.produtos[0] ?? null
  return item
}

/** 'coxinha ou esfiha' becomes one item with two candidates. */
function joinAlternative(walk: Walk, item: OrderItem): boolean {
  walk.either = false
  const last = walk.entries.at(-1)
  if (last === undefined || !isItem(last) || last.mode !== item.mode) return false
  last.produtos = [...new Set([...last.produtos, ...item.produtos])]
  last.sure = false
  last.end = item.end
  walk.item = last
  return true
}

/** 'não, 3 coxinhas' changes the coxinhas of this text, replaces its last item, or changes the cart. */
function correct(walk: Walk, item: OrderItem): void {
  const items = walk.entries.filter(isItem).filter(({ mode }) => mode === 'order' || mode === 'set')
  const same = items.findLast(({ produtos }) => produtos[0] === item.produtos[0])
  const last = items.at(-1)
  if (same !== undefined && item.quantity !== null) {
    same.quantity = item.quantity
    walk.item = same
  } else if (last !== undefined)
    walk.entries[walk.entries.lastIndexOf(last)] = { ...item, quantity: item.quantity ?? last.quantity }
  else {
    if (item.quantity !== null) item.mode = 'set'
    walk.entries.push(item)
  }
}

/** Ends a run of words: 'não achei', or a question about a produto that only its options name. */
export function flushUnknown(walk: Walk): void {
  const { unknown, quantity, mode } = walk
  const [first] = unknown
  if (first === undefined) return
  walk.unknown = []
  walk.quantity = null
  if (walk.chatter || mode === 'ignore') return
  const end = (unknown.at(-1) ?? first) + 1
  const isOrder = mode !== 'question' && (quantity !== null || walk.verb)
  const produtos = produtosWithOptions(walk, unknown)
  if (produtos.length > 0) {
    if (isOrder || unknown.length > 1) openUnnamed(walk, { produtos, start: first, end, quantity })
    walk.touching = false
  } else if (isOrder || isWanted(walk, unknown))
    walk.entries.push({ tipo: 'naoAchei', trecho: rawText(walk, first, end), motivo: 'produto' })
}

/** '2 calabresas grandes' of a shop that sells pizzas. */
function openUnnamed(
  walk: Walk,
  { quantity, ...found }: Pick<OrderItem, 'produtos' | 'start' | 'end' | 'quantity'>,
): void {
  if (walk.mode !== 'order') return
  walk.quantity = quantity
  openItem(walk, { ...found, sure: false })
}

/** Produtos with options for all of these words. */
function produtosWithOptions(walk: Walk, words: readonly number[]): readonly number[] {
  const names = words.map((at) => tokenAt(walk, at)).filter(({ word }) => !HALVES.has(word))
  const [first, ...others] = names.map(
    ({ ids }) => new Set(ids.flatMap((id) => [...(walk.index.produtosByOptionWord.get(id) ?? [])])),
  )
  return [...(first ?? [])].filter((produto) => others.every((set) => set.has(produto)))
}

const UNKNOWN_MAX = 3

/** True for 'tem lasanha?', and for 'lasanha' alone, which is an order without a verb. */
function isWanted(walk: Walk, [first = 0, ...others]: readonly number[]): boolean {
  if (walk.mode === 'question') return walk.asks
  const isArticle = /^[ao]s?$/.test(wordAt(walk, first - 1))
  return others.length < UNKNOWN_MAX && first - (isArticle ? 1 : 0) === walk.segmentStart
}

/** Candidates of a match: all that have as many words of the text if words remain that none has. */
export const produtosOf = ({ produto, candidates }: NameMatch): readonly number[] =>
  produto === null ? candidates : [produto]

/** The acts in the order said. */
export const actsOf = (walk: Walk): OrderAct[] =>
  walk.entries.flatMap((entry) => (isItem(entry) ? actOfItem(walk, entry) : [entry]))

function actOfItem(walk: Walk, item: OrderItem): OrderAct[] {
  const produtoIds = item.produtos.flatMap((at) => walk.index.produtos[at]?.id ?? [])
  if (produtoIds.length === 0 && item.mode !== 'set') return []
  switch (item.mode) {
    case 'ignore':
      return []
    case 'question':
      return [answerOf(walk, item, produtoIds)]
    case 'remove':
      return [{ tipo: 'tirar', produtoIds, ...(item.quantity === null ? {} : { quantidade: item.quantity }) }]
    case 'order':
    case 'set':
      return [orderOf(walk, item, produtoIds)]
  }
}

function orderOf(walk: Walk, item: OrderItem, produtoIds: readonly string[]): OrderAct {
  const trecho = rawText(walk, item.start, item.end)
  const quantidade = item.quantity ?? 1
  const [produtoId = '', ...others] = produtoIds
  if (!Number.isInteger(quantidade) || quantidade < 1 || quantidade > QUANTITY_MAX)
    return { tipo: 'naoAchei', trecho, motivo: 'quantidade' }
  if (item.mode === 'set') return { tipo: 'trocar', produtoIds, quantidade }
  const observacao = item.notes.join(', ')
  const rest = { quantidade, opcoes: item.options, ...(observacao === '' ? {} : { observacao }) }
  return item.sure && others.length === 0
    ? { tipo: 'adicionar', produtoId, ...rest }
    : { tipo: 'duvida', trecho, candidatos: produtoIds, ...rest }
}

function answerOf(walk: Walk, item: OrderItem, produtoIds: readonly string[]): OrderAct {
  const numero = walk.index.produtos[onlyProduto(item)]?.numero
  return numero === undefined ? { tipo: 'listar', produtoIds } : { tipo: 'mostrar', numero }
}
