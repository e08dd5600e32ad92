import { wordsOf } from '#rules/text.ts'
import type { OptionPhrase } from './catalogue-index.ts'
import { FILLERS, HALVES, LINKS, NOTE_WORDS, ORDER_VERBS, PACKAGES, SERVINGS } from './lexicon.ts'
import { matchOption, type NameMatch, type OptionMatch } from './match.ts'
import { stemOf } from './stem.ts'
import { tokenize } from './tokens.ts'
import {
  flushUnknown,
  isItem,
  type OrderItem,
  isText,
  nameAt,
  onlyProduto,
  openItem,
  produtosOf,
  rawText,
  tokenAt,
  type Walk,
  wordAt,
} from './walk.ts'

/** Reads names of produtos, their options and their notes. Each reader returns the position behind, or null. */

const OF_WORDS: ReadonlySet<string> = new Set(['de', 'do', 'da', 'd'])
const COURTESIES: ReadonlySet<string> = new Set(
  'por pf pfv pfvr pfr pls obrigado obrigada obg valeu vlw favor'.split(' '),
)

/** Opens an item for the name of a produto. */
export function readName(walk: Walk, at: number): number | null {
  const match = walk.skipping ? null : nameAt(walk, at)
  if (match === null) return null
  const isOf = OF_WORDS.has(wordAt(walk, at - 1))
  if (readSibling(walk, at, match)) return match.end
  if (match.weak || (describes(walk) && (!match.named || isOf))) return readPartialName(walk, at, match)
  if (isMention(walk)) return match.end
  if (match.complete && !isOf) flushUnknown(walk)
  openMatch(walk, at, match)
  return match.end
}

/** A name beside words of payment or delivery, without a verb of ordering. */
const isMention = ({ chatter, mode, verb, quantity }: Walk): boolean =>
  chatter && mode === 'order' && !verb && quantity === null

function openMatch(walk: Walk, at: number, match: NameMatch): void {
  const leading = walk.unknown
  walk.unknown = []
  const isBeside = describes(walk) && wordAt(walk, at - 1) === 'com'
  const isOther = namesPack(walk, at, match) || namesServing(walk, at, match)
  const sure = match.produto !== null && !isBeside && !isOther && !isStray(walk, at, match)
  const start = leading[0] ?? at
  openItem(walk, { produtos: produtosOf(match), sure, start, end: match.end })
  readLeading(walk, start, at, { leading, match })
}

/** 'já foi visto' is no 'Misto': one misspelt word in the middle of a remark. */
const isStray = (walk: Walk, at: number, { covered, errors }: NameMatch): boolean =>
  errors > 0 && covered === 1 && walk.quantity === null && !walk.verb && at > walk.segmentStart + 1

/** True if the next word belongs to the item before. */
export const describes = (walk: Walk): boolean => walk.item !== null && walk.touching && walk.quantity === null

/** '3 cuecas' of a 'Kit 3 cuecas' may be one or three of them. The '2' of '2 litros' is a measure. */
function namesPack({ tokens, index, quantity }: Walk, at: number, { produto, end }: NameMatch): boolean {
  const number = String(quantity)
  const nome = index.produtos[produto ?? -1]?.nome ?? ''
  const inName = tokenize(nome).some(({ kind, word }) => kind === 'number' && word === number)
  return inName && !tokens.slice(at, end).some(({ word }) => word === number)
}

/** 'coca lata' and 'lata de coca' are no 'Coca-Cola 2 litros'. */
function namesServing(walk: Walk, at: number, { produto, end }: NameMatch): boolean {
  const next = LINKS.has(wordAt(walk, end)) ? end + 1 : end
  const around = [wordAt(walk, next), OF_WORDS.has(wordAt(walk, at - 1)) ? wordAt(walk, at - 2) : '']
  const name = tokenize(walk.index.produtos[produto ?? -1]?.nome ?? '')
  const stems = name.map(({ word }) => stemOf(word))
  const isOther = around.some((word) => SERVINGS.has(word) && !stems.includes(stemOf(word)))
  const isMeasured = walk.tokens.slice(at, end).some(hasDigit)
  return isOther && !isMeasured && name.some(hasDigit)
}

/** Numbers and measures: '2l'. */
const hasDigit = ({ word }: { readonly word: string }): boolean => /\d/.test(word)

interface Leading {
  readonly leading: readonly number[]
  readonly match: NameMatch
}

/** Words before the name are options, as in 'meia calabresa de pizza', or the produto is unsure. */
function readLeading(walk: Walk, start: number, end: number, { leading, match }: Leading): void {
  const produto = onlyProduto(walk.item)
  for (let at = start; at < end;) {
    const option = produto < 0 ? null : matchOption(walk.tokens, at, produto, walk.index)
    if (option !== null) addOption(walk, option.option)
    else if (leading.includes(at) && !HALVES.has(wordAt(walk, at))) doubt(walk, match)
    at = option === null ? at + 1 : option.end
  }
  const hasHalf = leading.some((at) => HALVES.has(wordAt(walk, at)))
  if (hasHalf && walk.item?.options.length === 0) walk.item.sure = false
}

/** The text has words that the name lacks: every produto with the words that fit is a candidate. */
function doubt(walk: Walk, match: NameMatch | null): void {
  const { item } = walk
  if (item === null) return
  item.sure = false
  if (match !== null && !match.complete && item.options.length === 0) item.produtos = match.candidates
}

/** One word from the middle of a name. Behind an item it describes that item, like a name behind 'de'. */
function readPartialName(walk: Walk, at: number, match: NameMatch): number | null {
  if (describes(walk)) {
    doubtAt(walk, at)
    return match.end
  }
  const isOption = tokenAt(walk, at).ids.some((id) => walk.index.produtosByOptionWord.has(id))
  if (isOption || walk.unknown.length > 0) return null
  if (walk.chatter || walk.tail) return match.end
  openItem(walk, { produtos: match.candidates, sure: false, start: at, end: match.end })
  return match.end
}

/** 'duas esfihas de carne, duas de queijo': the name starts as the last one. */
function readSibling(walk: Walk, at: number, { named, candidates, end }: NameMatch): boolean {
  if (named || walk.quantity === null) return false
  const last = walk.entries.findLast(isItem)?.produtos[0] ?? -1
  const kinds = [...walk.index.produtosByHead.values()].filter((kind) => kind.has(last))
  const produtos = candidates.filter((produto) => kinds.some((kind) => kind.has(produto)))
  if (produtos.length !== 1) return false
  openItem(walk, { produtos, sure: walk.unknown.length === 0, start: at, end })
  return true
}

/** Marks the open item as doubtful because of the word at `at`. */
export function doubtAt(walk: Walk, at: number): void {
  const { item } = walk
  if (item === null) return
  doubt(walk, nameAt(walk, item.start))
  item.end = Math.max(item.end, at + 1)
}

function addOption({ item, index, entries }: Walk, { ativa, opcaoId, grupo }: OptionPhrase): void {
  if (item === null) return
  if (!ativa) {
    const options = index.produtos[onlyProduto(item)]?.grupos[grupo]?.opcoes ?? []
    const trecho = options.find(({ id }) => id === opcaoId)?.nome ?? ''
    entries.push({ tipo: 'naoAchei', trecho, motivo: 'produto' })
  } else if (!item.options.includes(opcaoId)) {
    item.options.push(opcaoId)
    item.grupos.push(grupo)
  }
}

const OPTION_LINKS = /^(?:d|de|do|da|com|no|na)$/

/** The option of the open item at `at`, also behind 'metade', 'de' and the name of its group: 'borda de catupiry'. */
export function optionAt(walk: Walk, at: number): OptionMatch | null {
  const produto = onlyProduto(walk.item)
  const whole = produto < 0 ? null : optionBehindLinks(walk, at, produto, null)
  if (whole !== null || produto < 0) return whole
  const grupo = groupAt(walk, at)
  return grupo < 0 ? null : optionBehindLinks(walk, at + 1, produto, grupo)
}

/** Position of the group of the open item that the word at `at` names, or -1. */
export function groupAt(walk: Walk, at: number): number {
  const { stem } = tokenAt(walk, at)
  const grupos = walk.index.produtos[onlyProduto(walk.item)]?.grupos ?? []
  return stem.length > 2 ? grupos.findIndex(({ nome }) => wordsOf(nome).some((word) => stemOf(word) === stem)) : -1
}

function optionBehindLinks(walk: Walk, at: number, produto: number, grupo: number | null): OptionMatch | null {
  let start = at
  while (start < at + 3 && (HALVES.has(wordAt(walk, start)) || OPTION_LINKS.test(wordAt(walk, start)))) start += 1
  return matchOption(walk.tokens, start, produto, walk.index, grupo)
}

/** True if the number is an option of a produto that may be meant: 'calça 40'. */
export const isOptionOfCandidate = (walk: Walk, at: number): boolean =>
  walk.item !== null &&
  walk.touching &&
  walk.item.produtos.length > 1 &&
  walk.item.produtos.some((produto) => matchOption(walk.tokens, at, produto, walk.index) !== null)

const maximoOf = ({ index, item }: Walk, grupo: number): number =>
  index.produtos[onlyProduto(item)]?.grupos[grupo]?.maximo ?? 0

/** Number of options of this group that the open item may still take. */
export function roomOf(walk: Walk, grupo: number): number {
  const taken = walk.item?.grupos.filter((other) => other === grupo).length ?? 0
  return maximoOf(walk, grupo) - taken
}

/** Adds an option to the open item. */
export function readOption(walk: Walk, at: number): number | null {
  if (walk.item === null || walk.quantity !== null || walk.skipping || isLinkWord(walk, at)) return null
  const found = optionAt(walk, at)
  if (found === null || (!HALVES.has(wordAt(walk, at)) && startsNext(walk, at, found))) return null
  addOption(walk, found.option)
  walk.item.end = Math.max(walk.item.end, found.end)
  walk.touching = true
  walk.tail = false
  return found.end
}

/** Links start no option. 'p' is a size and also means 'para'. */
function isLinkWord(walk: Walk, at: number): boolean {
  const word = wordAt(walk, at)
  if (word === 'p') return /^(?:viagem|mim|levar|ca|entrega|entregar|eu)$/.test(wordAt(walk, at + 1))
  return LINKS.has(word)
}

/** True if the words at `at` start the next item, although they fit an option. */
function startsNext(walk: Walk, at: number, { option, covered }: OptionMatch): boolean {
  const room = roomOf(walk, option.grupo)
  // 'a preta M e a branca G' are two.
  if (!walk.touching && room < 1 && maximoOf(walk, option.grupo) === 1) return true
  const name = nameAt(walk, at)
  if (name === null || name.weak) return false
  return room < 1 || (name.covered > covered && !LINKS.has(wordAt(walk, at - 1)))
}

/** Reads an observation of the open item, such as 'sem cebola', until the next item. */
export function readNote(walk: Walk, at: number): number | null {
  const { item } = walk
  const start = tokenAt(walk, at).kind === 'number' ? at + 1 : at
  if (item === null || walk.skipping || !takesNote(item, wordAt(walk, start))) return null
  if (wordAt(walk, at) === 'com' && startsOwn(walk, at + 1)) return at + 1
  let end = start + 1
  // 'um com coca, outro com suco' is one note.
  const isCounted = start > at
  while (!endsNote(walk, end) && (isCounted || !startsOption(walk, end))) end += 1
  item.notes.push(rawText(walk, at, end))
  item.end = end
  return end
}

const takesNote = ({ mode }: OrderItem, word: string): boolean =>
  (mode === 'order' || mode === 'set') && NOTE_WORDS.has(word) && word !== 'nao'

/** True if an option, or a separate produto, follows 'com'. */
function startsOwn(walk: Walk, at: number): boolean {
  const { kind, value } = tokenAt(walk, at)
  if (kind === 'number') return startsName(walk, at + 1) || (value === 1 && optionAt(walk, at + 1) !== null)
  const match = nameAt(walk, at)
  return optionAt(walk, at) !== null || (match !== null && (match.complete || match.covered > 1))
}

function endsNote(walk: Walk, at: number): boolean {
  const { kind, word, ids } = tokenAt(walk, at)
  if (kind === 'number') return startsName(walk, at + 1) || !isText(tokenAt(walk, at + 1))
  if (kind !== 'word' || ORDER_VERBS.has(word) || COURTESIES.has(word)) return true
  if (word === 'e') return endsNoteAtAnd(walk, at + 1)
  return ids.length > 0 && !continuesNote(walk, at) && nameAt(walk, at)?.complete === true
}

const startsOption = (walk: Walk, at: number): boolean =>
  wordAt(walk, at) === 'com'
    ? optionAt(walk, at + 1) !== null
    : tokenAt(walk, at).ids.length > 0 && !continuesNote(walk, at) && optionAt(walk, at) !== null

/** True behind 'sem', 'de', 'e' or a number: the word belongs to it. */
function continuesNote(walk: Walk, at: number): boolean {
  const { kind, word } = tokenAt(walk, at - 1)
  return kind === 'number' || word === 'e' || LINKS.has(word) || NOTE_WORDS.has(word)
}

/** 'e 1 sem tomate' belongs to the note. */
const endsNoteAtAnd = (walk: Walk, at: number): boolean =>
  tokenAt(walk, at).kind === 'number'
    ? !NOTE_WORDS.has(wordAt(walk, at + 1)) || startsName(walk, at + 1)
    : startsName(walk, at) || !isText(tokenAt(walk, at)) || ORDER_VERBS.has(wordAt(walk, at))

const SKIPPED = [PACKAGES, LINKS, FILLERS]

/** True if a name follows, behind 'latas de' and the like. */
export function startsName(walk: Walk, at: number): boolean {
  for (let word = at; word < at + 4; word += 1) {
    if (nameAt(walk, word)?.weak === false) return true
    if (!SKIPPED.some((set) => set.has(wordAt(walk, word)))) return false
  }
  return false
}
