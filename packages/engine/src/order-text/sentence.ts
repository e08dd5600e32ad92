import type { SimpleOrderAct } from './acts.ts'
import {
  ADDRESS_WORDS,
  CHATTER_WORDS,
  FILLERS,
  findPhrase,
  HALVES,
  LINKS,
  NOUNS,
  NOTE_WORDS,
  ORDER_VERBS,
  PACKAGES,
  PRONOUNS,
  TAIL_WORDS,
} from './lexicon.ts'
import { describes, doubtAt, groupAt, startsName } from './names.ts'
import { flushUnknown, isItem, nameAt, openItem, rawText, tokenAt, type Walk, wordAt } from './walk.ts'

/** Reads breaks, fixed phrases and all other words. Each reader returns the position behind, or null. */

/** Behind a name they are part of a note or remark. */
const DESCRIBING = /^(?:valor|preco|tem|fazem|melhor)$/
const FOR = /^(?:pra|para|pro)$/
const INSTEAD = /^(?:por|pelo|pela|pelos|pelas)$/

/** Ends a segment at a comma, and a sentence at the other signs. */
export function readBreak(walk: Walk, at: number): number | null {
  const token = walk.tokens[at]
  if (token === undefined || token.kind === 'word' || token.kind === 'number') return null
  endSegment(walk, at + 1)
  if (token.kind === 'soft') {
    if ((walk.mode === 'remove' || walk.mode === 'ignore') && walk.tokens[at + 1]?.kind === 'number')
      walk.mode = 'order'
    return at + 1
  }
  walk.mode = walk.asked[at + 1] === true ? 'question' : 'order'
  walk.asks = false
  walk.verb = false
  walk.chatter = false
  if (token.raw === '\n' || token.raw === '.') walk.skipping = false
  return at + 1
}

/** Ends a run between commas. A number without a name belongs to the item before, or means the produto on show. */
export function endSegment(walk: Walk, next: number): void {
  flushUnknown(walk)
  if (walk.quantity !== null && walk.mode === 'order' && !walk.chatter) refer(walk, next)
  walk.quantity = null
  walk.touching = false
  walk.tail = false
  walk.segmentStart = next
}

function refer(walk: Walk, at: number): void {
  const { shown, quantity } = walk
  const last = walk.entries.at(-1)
  if (last !== undefined && isItem(last) && last.mode === 'order') {
    if (last.quantity === null) last.quantity = quantity
    else last.sure = false
    return
  }
  if (!walk.verb) return
  if (shown !== null) openItem(walk, { produtos: [shown], sure: true, start: at - 1, end: at })
  else if (quantity !== null && Number.isInteger(quantity) && last === undefined)
    walk.entries.push({ tipo: 'mostrar', numero: quantity })
}

/** Phrases of the shop: 'só isso', 'tira', 'na verdade'. */
export function readPhraseEffect(walk: Walk, at: number): number | null {
  if (walk.skipping || walk.tokens[at]?.kind !== 'word') return null
  const phrase = findPhrase((offset) => walk.tokens[at + offset]?.word)
  if (phrase === undefined || isWholeName(walk, at)) return null
  const { effect, words } = phrase
  const end = at + words.length
  if ('act' in effect) {
    if (!isAct(walk, effect.act, words.length) || !endsAct(walk, end)) return null
    endSegment(walk, end)
    walk.entries.push({ tipo: effect.act })
    return end
  }
  if (DESCRIBING.test(words.join(' ')) && walk.touching && walk.mode === 'order') return null
  endSegment(walk, end)
  applyMode(walk, effect, at)
  return end
}

/** 'Troca de óleo' and 'Tira-gosto' may be produtos. */
function isWholeName(walk: Walk, at: number): boolean {
  const match = nameAt(walk, at)
  return match !== null && match.complete && match.covered > 1
}

/** One word of a question is no act: 'que horas fecha?' */
const isAct = ({ mode }: Walk, act: SimpleOrderAct, words: number): boolean =>
  mode !== 'question' || words > 1 || act === 'verCarrinho'

function applyMode(
  walk: Walk,
  effect: Exclude<NonNullable<ReturnType<typeof findPhrase>>['effect'], { act: unknown }>,
  at: number,
): void {
  const { mode } = effect
  if (mode === 'correct') walk.correcting = true
  else if (mode === 'chatter') walk.chatter = true
  else if (mode === 'order') startOrder(walk)
  else if (mode !== 'none') {
    walk.mode = mode
    walk.asks = effect.asks === true
    if (mode === 'remove' && /^cancelar?$/.test(wordAt(walk, at)) && endsAct(walk, at + 1))
      walk.entries.push({ tipo: 'limpar' })
  }
}

function startOrder(walk: Walk): void {
  walk.mode = 'order'
  walk.verb = true
  walk.chatter = false
  walk.tail = false
}

/** True if only politeness or a new segment follows. */
function endsAct(walk: Walk, at: number): boolean {
  for (let word = at; ; word += 1) {
    const token = walk.tokens[word]
    if (token === undefined || token.kind === 'soft' || token.kind === 'hard' || token.kind === 'question') return true
    if (token.word === 'e') return true
    if (token.kind === 'number' || !FILLERS.has(token.word)) return false
  }
}

/** Every word that is no name, number, option or note. */
export function readWord(walk: Walk, at: number): number {
  const word = wordAt(walk, at)
  if (ADDRESS_WORDS.has(word) && walk.tokens[at]?.ids.length === 0) walk.skipping = true
  if (walk.skipping) return at + 1
  return readJoint(walk, at, word) ?? readVerb(walk, at, word) ?? readRest(walk, at, word)
}

function readJoint(walk: Walk, at: number, word: string): number | null {
  if (word === 'e') {
    // Both halves are one item.
    if (HALVES.has(wordAt(walk, at + 1)) && walk.unknown.length > 0) return at + 1
    flushUnknown(walk)
    walk.touching = false
    walk.tail = false
    walk.segmentStart = at + 1
    return at + 1
  }
  if (word === 'ou') {
    flushUnknown(walk)
    walk.either = walk.quantity !== null || walk.entries.length > 0
    walk.touching = false
    return at + 1
  }
  if (word === 'nao') return readNo(walk, at)
  const isInstead = INSTEAD.test(word) || (FOR.test(word) && startsName(walk, at + 1))
  if (walk.mode === 'remove' && isInstead) {
    endSegment(walk, at + 1)
    startOrder(walk)
    return at + 1
  }
  return null
}

/** 'não, 3' corrects, 'e não 3' excludes, 'não coxinha' removes. */
function readNo(walk: Walk, at: number): number {
  const last = walk.entries.findLast(isItem)
  const next = skipJoints(walk, at + 1)
  const isNumber = tokenAt(walk, next).kind === 'number'
  if (!isNumber && !startsName(walk, next)) {
    refuse(walk, at)
    return at + 1
  }
  endSegment(walk, next)
  if (wordAt(walk, at - 1) === 'e' && last !== undefined) {
    if (last.mode === 'order' && isNumber) last.mode = 'set'
    walk.mode = 'ignore'
  } else if (isNumber || (last !== undefined && next > at + 1)) walk.correcting = true
  else if (next === at + 1) walk.mode = 'remove'
  return next
}

function skipJoints(walk: Walk, at: number): number {
  let next = at
  while (tokenAt(walk, next).kind === 'soft' || /^(?:e|sao|foi|era)$/.test(wordAt(walk, next))) next += 1
  return next
}

/** 'coxinha não, quero sonho' */
function refuse({ tokens, item, touching }: Walk, at: number): void {
  const next = tokens[at + 1]
  const isEnd = next === undefined || next.kind === 'soft' || ORDER_VERBS.has(next.word)
  if (isEnd && touching && item?.mode === 'order') item.mode = 'ignore'
}

function readVerb(walk: Walk, at: number, word: string): number | null {
  const isMore = word === 'mais' && walk.tokens[at + 1]?.kind === 'number'
  if (!ORDER_VERBS.has(word) && !isMore) return readPronoun(walk, at, word)
  if (isMore && walk.mode !== 'order') return at + 1
  flushUnknown(walk)
  startOrder(walk)
  walk.touching = false
  return at + 1
}

function readPronoun(walk: Walk, at: number, word: string): number | null {
  const { shown } = walk
  if (!PRONOUNS.has(word) || shown === null || walk.mode !== 'order' || startsName(walk, at + 1)) return null
  if (!walk.verb && walk.quantity === null) return null
  openItem(walk, { produtos: [shown], sure: true, start: at, end: at + 1 })
  return at + 1
}

function readRest(walk: Walk, at: number, word: string): number {
  const place = readPlace(walk, at) ?? readGrupoName(walk, at)
  if (place !== null) return place
  markSegment(walk, word)
  const isLoose = NOTE_WORDS.has(word) && walk.item === null
  const isSkipped = walk.tail || isLoose || SKIPPED.some((set) => set.has(word)) || isInfinitive(walk, at)
  if (isSkipped && !HALVES.has(word)) return at + 1
  if (describes(walk)) doubtAt(walk, at)
  else walk.unknown.push(at)
  return at + 1
}

function markSegment(walk: Walk, word: string): void {
  if (CHATTER_WORDS.has(word)) walk.chatter = true
  if (TAIL_WORDS.has(word)) walk.tail = true
  if (PACKAGES.has(word) && walk.quantity !== null) walk.verb = true
  if (!NOUNS.has(word)) return
  walk.quantity = null
  walk.verb = false
}

const SKIPPED = [FILLERS, LINKS, PACKAGES, TAIL_WORDS, CHATTER_WORDS, ORDER_VERBS]

/** 'quero marcar banho': a verb before the name. */
const isInfinitive = (walk: Walk, at: number): boolean =>
  walk.verb && tokenAt(walk, at).ids.length === 0 && /^[a-z]{3,}[aei]r$/.test(wordAt(walk, at))

const NO_PLACES = [ADDRESS_WORDS, CHATTER_WORDS, FILLERS, LINKS]

/** 'na chapa' is a note of the item before. */
function readPlace(walk: Walk, at: number): number | null {
  if (!/^n[ao]$/.test(wordAt(walk, at)) || walk.item?.mode !== 'order' || !walk.touching) return null
  const next = tokenAt(walk, at + 1)
  if (next.kind !== 'word' || next.ids.length > 0) return null
  if (NO_PLACES.some((set) => set.has(next.word))) return null
  walk.item.notes.push(rawText(walk, at, at + 2))
  walk.item.end = at + 2
  return at + 2
}

/** 'sabores' is no option if the open item has such a grupo, and '2 sabores' is no quantity. */
function readGrupoName(walk: Walk, at: number): number | null {
  if (groupAt(walk, at) < 0 || walk.unknown.length > 0) return null
  walk.quantity = null
  walk.touching = true
  return at + 1
}
