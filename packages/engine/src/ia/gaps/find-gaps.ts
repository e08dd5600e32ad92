import type { Lacuna } from '@balcao/contract/entities/lacuna'
import { groupUnits, type Group, type Unit } from './groups.ts'
import { maskQuestion, privateWordsOf, withoutLabels, WordFolder } from './private-words.ts'
import { significantStems } from './stems.ts'
import { gapLabel, typicalTexts } from './typical-texts.ts'
import { correctionsOfStems } from './vocabulary.ts'

/** A text of a customer that got no answer of the bot. */
export interface GapText {
  readonly id: string
  readonly pessoa: string
  readonly conversa: string
  readonly texto: string
  /** The conversa came to people. */
  readonly comPessoas: boolean
}

export interface GapsInput {
  readonly textos: readonly GapText[]
  /** Names of the contatos of the account. */
  readonly nomes: readonly string[]
  /** Ids of gaps that the owner does not want. */
  readonly ignoradas: ReadonlySet<string>
}

export interface FoundGap extends Lacuna {
  readonly textoIds: readonly string[]
}

const GAPS_MAX = 50
const EXAMPLES_MAX = 5
/** Of a longer text the beginning counts. */
const READ_MAX = 600
/** Texts between two interruptions: less than 10 ms. */
const SLICE = 250

/**
 * Groups questions by the words that they share. Yields between short slices. The result does not depend on the order of
 * the texts; each text is in at most one gap; labels and examples have no personal data.
 */
export function* findGaps({ textos, nomes, ignoradas }: GapsInput): Generator<undefined, FoundGap[]> {
  const folder = new WordFolder()
  const short = textos.map((text) => ({ ...text, texto: text.texto.slice(0, READ_MAX) }))
  yield
  const hidden = yield* privateWordsOf(nomes, short, folder)
  const read = yield* readTexts(short, hidden, folder)
  const { stems, numbered } = yield* numberStems(read)
  const { units, texts, peopleCount } = yield* unitsOf(numbered)
  const first = ignoradas.size === 0 ? [] : indexesOf(stems, (stem) => ignoradas.has(gapId(stem)))
  const groups = yield* groupUnits({ units, stemCount: stems.length, peopleCount, first })
  const ignored = new Set(first)
  return groups
    .filter(({ key }) => !ignored.has(key))
    .map((group) => toGap(group, stems[group.key] ?? '', texts))
    .toSorted((a, b) => b.pessoas - a.pessoas || b.mensagens - a.mensagens || (a.id < b.id ? -1 : 1))
    .slice(0, GAPS_MAX)
}

function indexesOf(stems: readonly string[], isWanted: (stem: string) => boolean): number[] {
  return stems.flatMap((stem, index) => (isWanted(stem) ? [index] : []))
}

interface ReadText {
  readonly text: GapText
  readonly masked: string
  readonly stems: readonly string[]
}

interface NumberedText extends Omit<ReadText, 'stems'> {
  readonly stems: readonly number[]
}

function* readTexts(
  texts: readonly GapText[],
  hidden: ReadonlySet<string>,
  folder: WordFolder,
): Generator<undefined, ReadText[]> {
  const read: ReadText[] = []
  for (const [index, text] of texts.entries()) {
    const masked = maskQuestion(text.texto, hidden, folder)
    const stems = significantStems(withoutLabels(masked))
    // A text without a significant word asks nothing that another text asks too.
    if (stems.length > 0) read.push({ text, masked, stems })
    if (index % SLICE === SLICE - 1) yield
  }
  return read
}

/** The stems in alphabetical order, typing errors corrected, and the texts with the numbers of their stems. */
function* numberStems(
  read: readonly ReadText[],
): Generator<undefined, { readonly stems: readonly string[]; readonly numbered: readonly NumberedText[] }> {
  const people = new Map<string, Set<string>>()
  for (const [index, { text, stems }] of read.entries()) {
    for (const stem of stems) people.set(stem, (people.get(stem) ?? new Set()).add(text.pessoa))
    if (index % (SLICE * 4) === 0) yield
  }
  const corrections = correctionsOfStems(Array.from(people, ([stem, { size }]) => ({ stem, people: size })))
  yield
  const stems = [...people.keys()].filter((stem) => !corrections.has(stem)).toSorted()
  const numbers = new Map(stems.map((stem, index) => [stem, index]))
  yield
  const numbered: NumberedText[] = []
  for (const [index, { stems: written, ...rest }] of read.entries()) {
    const corrected = new Set(written.map((stem) => numbers.get(corrections.get(stem) ?? stem) ?? 0))
    numbered.push({ ...rest, stems: [...corrected].toSorted((a, b) => a - b) })
    if (index % (SLICE * 4) === 0) yield
  }
  return { stems, numbered }
}

interface Units {
  readonly units: readonly Unit[]
  /** By unit. */
  readonly texts: readonly (readonly NumberedText[])[]
  readonly peopleCount: number
}

function* unitsOf(numbered: readonly NumberedText[]): Generator<undefined, Units> {
  const people = new Map<string, number>()
  for (const { text } of numbered) if (!people.has(text.pessoa)) people.set(text.pessoa, people.size)
  yield
  const byStems = Map.groupBy(numbered, ({ stems }) => stems.join(' '))
  yield
  const texts = [...byStems.keys()].toSorted().map((stems) => byStems.get(stems) ?? [])
  yield
  const units = texts.map((same): Unit => {
    const askers = new Set(same.map(({ text }) => people.get(text.pessoa) ?? 0))
    return { stems: same[0]?.stems ?? [], size: same.length, people: [...askers] }
  })
  return { units, texts, peopleCount: people.size }
}

function toGap({ units }: Group, key: string, texts: readonly (readonly NumberedText[])[]): FoundGap {
  const members = units.flatMap((unit) => texts[unit] ?? [])
  const exemplos = typicalTexts(
    members.map(({ masked, stems }) => ({ texto: masked, stems })),
    EXAMPLES_MAX,
  )
  const handed = members.filter(({ text }) => text.comPessoas)
  return {
    id: gapId(key),
    rotulo: gapLabel(exemplos[0] ?? ''),
    pessoas: new Set(members.map(({ text }) => text.pessoa)).size,
    mensagens: members.length,
    exemplos,
    transferencias: new Set(handed.map(({ text }) => text.conversa)).size,
    textoIds: members.map(({ text }) => text.id).toSorted(),
  }
}

/** Hash of a key stem, 16 hexadecimal digits: FNV-1a with two seeds. */
function gapId(stem: string): string {
  return [0x811c9dc5, 0x1b873593].map((seed) => hash32(stem, seed)).join('')
}

function hash32(value: string, seed: number): string {
  let hash = seed
  for (let at = 0; at < value.length; at += 1) hash = Math.imul(hash ^ value.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
