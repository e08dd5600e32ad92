import { errorsBetween } from '#search/similar.ts'
import type { OrderProduto } from './acts.ts'
import {
  ADDRESS_WORDS,
  CHATTER_WORDS,
  FILLERS,
  LINKS,
  NOTE_WORDS,
  NOUNS,
  ORDER_VERBS,
  PACKAGES,
  TAIL_WORDS,
} from './lexicon.ts'
import { shortenedForms, stemOf, typingErrors } from './stem.ts'
import { type Token, tokenize } from './tokens.ts'

/** Words of a catalogue, prepared for the texts of customers. */

/** A name, synonym or option as numbers of its words. */
export interface Phrase {
  readonly words: readonly number[]
  /** The words that a customer may leave out: packages and numbers before the name. */
  readonly light: readonly boolean[]
  /** True for numbers and measures. */
  readonly digits: readonly boolean[]
  readonly hasE: boolean
  /** True for words behind 'de', 'com' and the like. */
  readonly linked: readonly boolean[]
}

export interface NamePhrase extends Phrase {
  /** Position of the produto in the list. */
  readonly produto: number
}

export interface OptionPhrase extends Phrase {
  readonly opcaoId: string
  readonly grupo: number
  readonly ativa: boolean
}

/** A token with the words of the catalogue that it may be. */
export interface KnownToken extends Token {
  readonly stem: string
  readonly ids: readonly number[]
  /** Of a number: measures with this number, such as `2l`. */
  readonly measureIds: readonly number[]
  readonly errors: number
}

export interface CatalogueIndex {
  readonly produtos: readonly OrderProduto[]
  readonly ids: ReadonlyMap<string, number>
  readonly namesByWord: ReadonlyMap<number, readonly NamePhrase[]>
  /** By produto. */
  readonly options: readonly (readonly OptionPhrase[])[]
  readonly produtosByOptionWord: ReadonlyMap<number, ReadonlySet<number>>
  /** Produtos by the first word of their names. */
  readonly produtosByHead: ReadonlyMap<number, ReadonlySet<number>>
  readonly similar: ReadonlyMap<string, readonly string[]>
  /** Two neighbours that customers write as one word: 'xbacon'. */
  readonly compounds: ReadonlyMap<string, readonly [string, string]>
  /** Words of customers that were looked up before. Most texts repeat them. */
  readonly known: Map<string, WordMatch>
}

type WordMatch = Pick<KnownToken, 'stem' | 'ids' | 'errors'>

const WORDS_MAX = 12
const KNOWN_MAX = 2_000
/** Sizes, and words that customers shorten. */
export const SHORT_FORMS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['p', ['pequeno', 'pequena']],
  ['m', ['medio', 'media']],
  ['g', ['grande']],
  ['pequeno', ['p', 'pequena']],
  ['pequena', ['p', 'pequeno']],
  ['medio', ['m', 'media']],
  ['media', ['m', 'medio']],
  ['grande', ['g']],
  ['xis', ['x']],
  ['gts', ['gotas']],
])
const MEASURE_UNITS = ['l', 'ml', 'mg', 'kg', 'g', 'cm']

const indexes = new WeakMap<readonly OrderProduto[], CatalogueIndex>()

/** Index of a catalogue, built once for each array. */
export function catalogueIndex(produtos: readonly OrderProduto[]): CatalogueIndex {
  const ready = indexes.get(produtos)
  if (ready !== undefined) return ready
  const built = buildIndex(produtos)
  indexes.set(produtos, built)
  return built
}

function buildIndex(produtos: readonly OrderProduto[]): CatalogueIndex {
  const ids = new Map<string, number>()
  const compounds = new Map<string, readonly [string, string]>()
  const namesByWord = new Map<number, NamePhrase[]>()
  const produtosByHead = new Map<number, Set<number>>()
  const produtosByOptionWord = new Map<number, Set<number>>()
  const options = produtos.map((): OptionPhrase[] => [])
  produtos.forEach(({ nome, sinonimos, grupos }, produto) => {
    for (const text of [nome, ...sinonimos]) {
      const phrase = { ...phraseOf(text, ids, compounds), produto }
      for (const id of new Set(phrase.words)) addTo(namesByWord, id, phrase)
      const head = phrase.words[phrase.light.indexOf(false)]
      if (head !== undefined) addToSet(produtosByHead, head, produto)
    }
    grupos.forEach(({ opcoes }, grupo) => {
      for (const { id: opcaoId, nome: text, ativa } of opcoes)
        for (const variant of new Set([text, text.replace(/\(.*/s, '')])) {
          const phrase = { ...phraseOf(variant, ids, compounds), opcaoId, grupo, ativa }
          if (phrase.words.length > 0) options[produto]?.push(phrase)
          for (const id of phrase.words) addToSet(produtosByOptionWord, id, produto)
        }
    })
  })
  const similar = new Map<string, string[]>()
  for (const word of ids.keys()) for (const form of shortenedForms(word, typingErrors(word))) addTo(similar, form, word)
  return {
    produtos,
    ids,
    namesByWord,
    options,
    produtosByOptionWord,
    produtosByHead,
    similar,
    compounds,
    known: new Map(),
  }
}

function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function addToSet<K>(map: Map<K, Set<number>>, key: K, value: number): void {
  const set = map.get(key)
  if (set === undefined) map.set(key, new Set([value]))
  else set.add(value)
}

/** Words of a name. 'sem' and its word are one: a text with 'com gás' is no 'sem gás'. */
function phraseOf(text: string, ids: Map<string, number>, compounds: Map<string, readonly [string, string]>): Phrase {
  const read = tokenize(text).filter(({ kind }) => kind === 'word' || kind === 'number')
  const all = read.map(({ kind, word }) => (kind === 'number' ? word : stemOf(word)))
  const strong = all.flatMap((stem, at) => {
    const before = read[at - 1]?.word
    const { word = '' } = read[at] ?? {}
    if (word === 'sem' || word === 'e' || LINKS.has(word)) return []
    return [
      {
        stem: before === 'sem' ? `~${stem}` : stem,
        light: PACKAGES.has(word),
        digits: /^\d/.test(word),
        linked: LINKS.has(before ?? ''),
      },
    ]
  })
  const parts = (
    strong.length > 0 ? strong : all.map((stem) => ({ stem, light: false, digits: false, linked: false }))
  ).slice(0, WORDS_MAX)
  const firstName = parts.findIndex(({ light, digits }) => !light && !digits)
  for (const [at, { stem }] of parts.entries()) {
    const next = parts[at + 1]?.stem
    if (next !== undefined) compounds.set(stem + next, [stem, next])
  }
  const words = parts.map(({ stem }) => {
    const id = ids.get(stem) ?? ids.size
    ids.set(stem, id)
    return id
  })
  return {
    words,
    light: parts.map(({ light, digits }, at) => light || (digits && firstName >= 0 && at < firstName)),
    digits: parts.map(({ digits }) => digits),
    linked: parts.map(({ linked }) => linked),
    hasE: read.some(({ word }) => word === 'e'),
  }
}

const NEVER_CORRECTED = [
  ADDRESS_WORDS,
  CHATTER_WORDS,
  NOUNS,
  FILLERS,
  LINKS,
  NOTE_WORDS,
  ORDER_VERBS,
  PACKAGES,
  TAIL_WORDS,
]

/** Adds to every token the words of the catalogue that it may be, and splits and joins misspelt ones. */
export function knownTokens(tokens: readonly Token[], index: CatalogueIndex): KnownToken[] {
  const known: KnownToken[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const current = tokens[at]
    if (current === undefined) continue
    const next = tokens[at + 1]
    if (current.word === 'x' && known.at(-1)?.kind === 'number' && isTimesSign(next, index)) continue
    const split = splitToken(current, next, index)
    const joined = split === null ? joinedToken(current, next, index) : null
    if (joined !== null) at += 1
    known.push(...(split ?? [joined ?? knownToken(current, index)]))
  }
  return known
}

/** 'xbacon' as two tokens, and '2x bacon' as three. */
function splitToken(token: Token, next: Token | undefined, index: CatalogueIndex): KnownToken[] | null {
  if (token.times && isSandwich(next, index))
    return [knownToken({ ...token, times: false }, index), knownToken({ ...token, kind: 'word', word: 'x' }, index)]
  const stem = stemOf(token.word)
  const parts = token.kind === 'word' && !index.ids.has(stem) ? index.compounds.get(stem) : undefined
  return parts?.map((word) => knownToken({ ...token, word }, index)) ?? null
}

/** Two tokens that are one word of the catalogue: 'anti pulgas', 'p 13'. */
function joinedToken(first: Token, second: Token | undefined, index: CatalogueIndex): KnownToken | null {
  if (second === undefined || first.kind !== 'word' || second.times) return null
  const word = stemOf(first.word) + stemOf(second.word)
  if (!index.ids.has(word) || (second.kind !== 'word' && second.kind !== 'number')) return null
  const isBoth = second.kind === 'word' && index.ids.has(stemOf(first.word)) && index.ids.has(stemOf(second.word))
  return isBoth ? null : knownToken({ ...first, raw: `${first.raw} ${second.raw}`, word }, index)
}

const startsCompound = (next: Token | undefined, { compounds }: CatalogueIndex): boolean =>
  next !== undefined && compounds.has(`x${stemOf(next.word)}`)

/** 'x' between a number and a word is no name unless a name starts with both. */
const isTimesSign = (next: Token | undefined, index: CatalogueIndex): boolean =>
  !startsCompound(next, index) && (!index.ids.has('x') || index.ids.has(stemOf(next?.word ?? '')))

/** '2x bacon' are two X-Bacon if no name starts with 'bacon'. */
function isSandwich(next: Token | undefined, index: CatalogueIndex): boolean {
  const id = index.ids.get(stemOf(next?.word ?? ''))
  return startsCompound(next, index) && id !== undefined && !index.produtosByHead.has(id)
}

function knownToken(token: Token, index: CatalogueIndex): KnownToken {
  const { kind, word, value } = token
  if (kind === 'word') return { ...token, measureIds: [], ...matchWord(word, index) }
  const none = { ...token, stem: stemOf(word), ids: [], measureIds: [], errors: 0 }
  if (kind !== 'number') return none
  const measureIds = MEASURE_UNITS.flatMap((unit) => idsOf([`${value}${unit}`], index))
  return { ...none, ids: idsOf([word], index), measureIds }
}

function matchWord(word: string, index: CatalogueIndex): WordMatch {
  const known = index.known.get(word)
  if (known !== undefined) return known
  if (index.known.size >= KNOWN_MAX) index.known.clear()
  const found = findWord(word, index)
  index.known.set(word, found)
  return found
}

function findWord(word: string, index: CatalogueIndex): WordMatch {
  const stem = stemOf(word)
  const none = { stem, ids: [], errors: 0 }
  // 'açaís' is no plural of '-al'.
  const exact = idsOf([stem, stemOf(word.replace(/s$/, '')), ...(SHORT_FORMS.get(word) ?? []).map(stemOf)], index)
  if (exact.length > 0) return { ...none, ids: exact }
  // 'bem passado' means the option 'Bem passada'.
  const other = NOTE_WORDS.has(word) ? idsOf([otherGender(stem)], index) : []
  if (other.length > 0) return { ...none, ids: other }
  if (NEVER_CORRECTED.some((set) => set.has(word))) return none
  const { found, errors } = similarWords(stem, index)
  return { ...none, ids: idsOf(found, index), errors }
}

const otherGender = (stem: string): string => (stem.endsWith('o') ? `${stem.slice(0, -1)}a` : stem.replace(/a$/, 'o'))

const idsOf = (stems: readonly string[], { ids }: CatalogueIndex): number[] =>
  [...new Set(stems)].flatMap((stem) => ids.get(stem) ?? [])

function similarWords(stem: string, index: CatalogueIndex): { found: readonly string[]; errors: number } {
  const most = typingErrors(`${stem}a`)
  if (most === 0) return { found: [], errors: 0 }
  const candidates = new Set(shortenedForms(stem, most).flatMap((form) => index.similar.get(form) ?? []))
  const near = [...candidates]
    .map((word) => ({ word, errors: errorsBetween(stem, word) }))
    .filter(({ word, errors }) => errors <= typingErrors(word))
  const errors = Math.min(...near.map((one) => one.errors))
  return {
    found: near.filter((one) => one.errors === errors).map(({ word }) => word),
    errors: near.length === 0 ? 0 : errors,
  }
}
