import { DIAS, type Dia } from '@balcao/contract/constants'
import type { FoundClaim } from '../types.ts'
import { type AnswerToken, answerTokenAt } from './tokens.ts'

/** Dates and days: '25/12', '25 de dezembro', 'sexta-feira', 'amanhã'. */

const MONTHS = 'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')
const DAY_NAMES: ReadonlyMap<string, Dia> = new Map([
  ...['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado'].map(
    (name, at) => [name, DIAS[at] ?? 'dom'] as const,
  ),
  ...['domingos', 'segundas', 'tercas', 'quartas', 'quintas', 'sextas', 'sabados'].map(
    (name, at) => [name, DIAS[at] ?? 'dom'] as const,
  ),
])
const SHORT_NAMES: ReadonlyMap<string, Dia> = new Map(DIAS.map((dia) => [dia, dia]))
/** 'segunda' and its neighbours are ordinal numbers before other nouns. */
const BEHIND_DAY = new Set(
  'a e ate das as - , . ; : ! ? ) ( feira feiras de da no nos na em ou que tambem ao aos nao fica estamos abrimos fechamos temos de manha tarde noite cedo sim so dia pela entre para por o com funcionamos atendemos'.split(
    ' ',
  ),
)

export function dateClaim(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  const { kind, text } = answerTokenAt(tokens, at)
  if (kind === 'date') return writtenDate(text, at)
  if (kind === 'number') return numberedDay(tokens, at)
  if (kind !== 'word') return null
  if (
    text === 'depois' &&
    answerTokenAt(tokens, at + 1).text === 'de' &&
    answerTokenAt(tokens, at + 2).text === 'amanha'
  )
    return day(at, at + 2, 'r:2')
  if (text === 'amanha') return isFarewell(tokens, at) ? null : day(at, at, 'r:1')
  return dayName(tokens, at)
}

/** 'Até amanhã!' */
function isFarewell(tokens: readonly AnswerToken[], at: number): boolean {
  const before = answerTokenAt(tokens, at - 2)
  const starts = at < 2 || before.kind === 'sign'
  return starts && answerTokenAt(tokens, at - 1).text === 'ate' && /^[.!]?$/.test(answerTokenAt(tokens, at + 1).text)
}

const day = (first: number, last: number, ...keys: readonly string[]): FoundClaim => ({
  ...{ kind: 'data', first, last, keys, value: NaN },
})

function writtenDate(text: string, at: number): FoundClaim | null {
  const parts = text.split(/[/-]/).map(Number)
  const [year, month = 0, date = 0] = text.includes('-') ? parts : [parts[2], parts[1], parts[0]]
  if (
    month < 1 ||
    month > 12 ||
    date < 1 ||
    date > 31 ||
    (year === undefined && /^1\/[2-4]$|^3\/4$|^24\/7$/.test(text))
  )
    return null
  const withYear = year === undefined ? '' : `:${year < 100 ? year + 2000 : year}`
  return day(at, at, `dt:${month}-${date}${withYear}`)
}

/** '25 de dezembro', 'dia 25'. */
function numberedDay(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  const { value, decimals } = answerTokenAt(tokens, at)
  if (value < 1 || value > 31 || decimals > 0 || !Number.isInteger(value)) return null
  const month = answerTokenAt(tokens, at + 1).text === 'de' ? MONTHS.indexOf(answerTokenAt(tokens, at + 2).text) + 1 : 0
  if (month > 0) {
    const year = answerTokenAt(tokens, at + 3).text === 'de' ? answerTokenAt(tokens, at + 4).value : NaN
    return year > 1900 ? day(at, at + 4, `dt:${month}-${value}:${year}`) : day(at, at + 2, `dt:${month}-${value}`)
  }
  return answerTokenAt(tokens, at - 1).text === 'dia' ? day(at, at, `dn:${value}`) : null
}

function dayName(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  const { text } = answerTokenAt(tokens, at)
  const next = answerTokenAt(tokens, at + 1)
  const isFair = next.text === '-' && /^feiras?$/.test(answerTokenAt(tokens, at + 2).text)
  const last = isFair ? at + 2 : /^feiras?$/.test(next.text) ? at + 1 : at
  const name = DAY_NAMES.get(text)
  if (name !== undefined) {
    const isOrdinal = /^(?:segund|terc|quart|quint|sext)as?$/.test(text) && last === at && !isWeekday(tokens, at)
    return isOrdinal ? null : day(at, last, `w:${name}`)
  }
  const short = SHORT_NAMES.get(text)
  return short !== undefined && hasShortNeighbour(tokens, at) ? day(at, at, `w:${short}`) : null
}

/** Nouns that an ordinal number counts. */
const COUNTED = /^(?:compra|unidade|opcao|vez|via|pizza|parte|pessoa|fatia|dose|porcao|loja|pagina|etapa|rodada)s?$/
const BEFORE_DAY = new Set([
  'ate',
  'na',
  'nas',
  'as',
  'toda',
  'todas',
  'proxima',
  'desta',
  'nesta',
  'esta',
  'essa',
  'para',
])

function isWeekday(tokens: readonly AnswerToken[], at: number): boolean {
  const next = answerTokenAt(tokens, at + 1)
  const before = answerTokenAt(tokens, at - 1)
  const isFirst = before.kind === 'end' || before.kind === 'sign'
  if (isBehindDay(next) || (isFirst && next.kind === 'word' && !COUNTED.test(next.text))) return true
  return BEFORE_DAY.has(before.text) && !COUNTED.test(next.text)
}

const isBehindDay = ({ kind, text }: AnswerToken): boolean =>
  kind === 'end' || kind === 'time' || kind === 'date' || text === '\n' || BEHIND_DAY.has(text)

/** 'ter' and 'sex' name a day only beside another day. */
function hasShortNeighbour(tokens: readonly AnswerToken[], at: number): boolean {
  return [-2, 2].some((step) => {
    const { text } = answerTokenAt(tokens, at + step)
    return SHORT_NAMES.has(text) && /^[a-z,/-]$|^ate$/.test(answerTokenAt(tokens, at + step / 2).text)
  })
}
