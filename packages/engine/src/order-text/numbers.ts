import { FILLERS, HALVES, LINKS, NO_QUANTITY_UNITS, NOTE_WORDS, ORDER_VERBS, PACKAGES } from './lexicon.ts'
import { isOptionOfCandidate, optionAt, readNote, roomOf, startsName } from './names.ts'
import { flushUnknown, isItem, nameAt, openItem, tokenAt, type Walk, wordAt } from './walk.ts'

/** Reads numbers: quantities, positions of the catalogue and of the cart. */

const POSITION_LINKS = /^(?:d[oa]|numero|n|no|opcao|produto|item)$/
const SKIPPED = [LINKS, FILLERS, PACKAGES]
const ARTICLES = /^(?:o|a|numero|n|opcao|produto|item)$/

/** Returns the position behind the number, or null if there is none. */
export function readNumber(walk: Walk, at: number): number | null {
  const token = tokenAt(walk, at)
  if (token.kind !== 'number') return null
  if (walk.skipping || walk.mode === 'ignore') return at + 1
  return (
    readAmount(walk, at) ??
    readPosition(walk, at) ??
    readCartPosition(walk, at) ??
    readDistribution(walk, at) ??
    readSuffix(walk, at) ??
    readCountedNote(walk, at, token.value) ??
    readQuantity(walk, at, token.value)
  )
}

/** '2 x-bacon, um sem cebola' */
function readCountedNote(walk: Walk, at: number, value: number): number | null {
  const isPart = walk.item !== null && walk.item.quantity !== null && walk.item.quantity > value
  return isPart && walk.quantity === null && nameAt(walk, at + 1) === null ? readNote(walk, at) : null
}

/** Times and sums of money are no quantities. '20 reais de pão' is no quantity that can be ordered. */
function readAmount(walk: Walk, at: number): number | null {
  const unit = wordAt(walk, at + 1)
  if (/^rea(?:is|l)$/.test(unit) && wordAt(walk, at + 2) === 'de') walk.quantity = NaN
  if (NO_QUANTITY_UNITS.has(unit)) return at + 2
  return wordAt(walk, at - 1) === 'r$' || isOptionOfCandidate(walk, at) ? at + 1 : null
}

/** '2x3', '2 do 3', '2 do número 3', 'o 3': produto 3 of the catalogue. */
function readPosition(walk: Walk, at: number): number | null {
  const { times, value } = tokenAt(walk, at)
  let second = at + 1
  while (second < at + 3 && POSITION_LINKS.test(wordAt(walk, second))) second += 1
  const isNamed = times || second > at + 1
  if (isNamed && tokenAt(walk, second).kind === 'number' && !startsName(walk, second)) {
    walk.quantity = value
    return openPosition(walk, at, second)
  }
  if (walk.mode === 'remove' || !ARTICLES.test(wordAt(walk, at - 1)) || continuesName(walk, at + 1)) return null
  return openPosition(walk, at, at)
}

function openPosition(walk: Walk, start: number, at: number): number {
  const numero = tokenAt(walk, at).value
  const produto = walk.index.produtos.findIndex((other) => other.numero === numero)
  flushUnknown(walk)
  if (produto >= 0) openItem(walk, { produtos: [produto], sure: true, start, end: at + 1 })
  else walk.entries.push({ tipo: 'naoAchei', trecho: wordAt(walk, at), motivo: 'produto' })
  walk.quantity = null
  return at + 1
}

/** 'tirar 2' names an item of the cart. '3 coxinhas no lugar de 2' sets a quantity. */
function readCartPosition(walk: Walk, at: number): number | null {
  if (walk.mode !== 'remove' || continuesName(walk, at + 1)) return null
  if (/^(?:vez|inves|lugar)$/.test(wordAt(walk, at - 2))) {
    const last = walk.entries.findLast(isItem)
    if (last?.mode === 'order') last.mode = 'set'
    return at + 1
  }
  const { raw, value } = tokenAt(walk, at)
  if (Number.isInteger(value)) walk.entries.push({ tipo: 'tirar', item: value })
  else walk.entries.push({ tipo: 'naoAchei', trecho: raw, motivo: 'quantidade' })
  return at + 1
}

/** Units are one option each: '2 pizzas, uma calabresa e outra portuguesa' is not one item. */
function readDistribution(walk: Walk, at: number): number | null {
  const { item } = walk
  if (item === null || startsName(walk, at + 1)) return null
  const option = optionAt(walk, at + 1)
  if (option === null || roomOf(walk, option.option.grupo) < 1 || item.grupos.includes(option.option.grupo)) return null
  if (wordAt(walk, at - 1) === 'com') return at + 1
  item.sure = false
  return option.end
}

/** 'coxinha 2', 'coca x2', '2 unidades' behind the name. */
function readSuffix(walk: Walk, at: number): number | null {
  const { item } = walk
  const { value, times } = tokenAt(walk, at)
  if (item === null || !walk.touching || walk.quantity !== null) return null
  if (continuesName(walk, at + 1) && !times && walk.endsWithNumber[at] !== true) return null
  const isNote = NOTE_WORDS.has(wordAt(walk, at + 1))
  if (item.quantity === null || walk.correcting) item.quantity = value
  else if (isNote) return null
  else item.sure = false
  walk.correcting = false
  return at + 1
}

/** True if a name, or a word that may be one, follows. */
function continuesName(walk: Walk, at: number): boolean {
  for (let position = at; position < at + 5; position += 1) {
    const { kind, word } = tokenAt(walk, position)
    if (kind !== 'word' || word === 'e' || ORDER_VERBS.has(word) || NOTE_WORDS.has(word)) return false
    if (HALVES.has(word) || !SKIPPED.some((set) => set.has(word))) return true
  }
  return false
}

/** 'não, 3' alone changes the last item of the cart. */
function setLastOfCart(walk: Walk, at: number, value: number): void {
  walk.quantity = value
  walk.correcting = false
  openItem(walk, { produtos: [], sure: true, start: at, end: at + 1 }).mode = 'set'
}

function readQuantity(walk: Walk, at: number, value: number): number {
  flushUnknown(walk)
  if (walk.correcting && !continuesName(walk, at + 1)) {
    const last = walk.entries.findLast(isItem)
    if (last === undefined) setLastOfCart(walk, at, value)
    else last.quantity = value
    walk.correcting = false
    return at + 1
  }
  if (walk.quantity !== null && walk.either) walk.unsureQuantity = true
  else walk.quantity = value
  walk.either = false
  walk.touching = false
  walk.tail = false
  return at + 1
}
