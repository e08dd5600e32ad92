import type { ConversaReader } from '@balcao/contract/conversa-access'
import { nameParts, type SearchTerm } from '@balcao/engine/search/words'
import { ACCENTS } from '#lib/text.ts'
import type { BindValue } from '#modules/conversas/index.ts'

export interface SearchPlan {
  readonly contaId: string
  readonly reader: ConversaReader
  readonly terms: readonly SearchTerm[]
  /** Only rows with smaller ids. */
  readonly before: string
  readonly limit: number
}

const [ACCENTED, PLAIN] = ACCENTS

/** Lower case without accents. Slow, so use it once for each text. */
export const foldedSql = (text: string): string => `lower(translate(${text}, '${ACCENTED}', '${PLAIN}'))`

/**
 * True for texts that have all words of the query, and for those that have some if the name of the customer has the
 * others. `text` and `name` are folded columns.
 */
export function hasAllSql(
  { text, name }: { readonly text: string; readonly name: string },
  terms: SearchPlan['terms'],
  bind: BindValue,
): string {
  const inText = terms.map((term) => inTextSql(text, term, bind))
  if (inText.length === 1) return inText.join('')
  const found = terms.map((term, index) => {
    const inName = inNameSql(name, term, bind)
    return inName === null ? inText[index] : `(${inText[index]} or ${inName})`
  })
  return `${found.join(' and ')} and (${inText.join(' or ')})`
}

/** `like` is faster than the pattern and excludes most texts. Folded words need no escapes. */
function inTextSql(text: string, term: SearchTerm, bind: BindValue): string {
  const likes = [term.word, ...term.corrections].map((word) => `${text} like ${bind(`%${word}%`)}`)
  return `((${likes.join(' or ')}) and ${text} ~ ${bind(patternOf(term))})`
}

function patternOf({ word, beginning, corrections }: SearchTerm): string {
  const whole = [word, ...corrections].map((one) => String.raw`\m${one}s?\M`)
  return [...whole, ...(beginning === null ? [] : [String.raw`\m${beginning}`])].join('|')
}

/** Null: the word does not count in names. */
function inNameSql(name: string, term: SearchTerm, bind: BindValue): string | null {
  const likes = nameParts(term).map((part) => `${name} like ${bind(`%${part}%`)}`)
  return likes.length === 0 ? null : `(${likes.join(' or ')})`
}
