import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { SearchTerm } from '@balcao/engine/search/words'
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

/**
 * True for texts that have all words of the query. `like` is faster than the pattern and excludes most texts. Folded words
 * contain letters and digits only, so they need no escapes.
 */
export function hasAllSql(text: string, terms: SearchPlan['terms'], bind: BindValue): string {
  const folded = `lower(translate(${text}, '${ACCENTED}', '${PLAIN}'))`
  return terms
    .flatMap((term) => [`${folded} like ${bind(`%${term.word}%`)}`, `${folded} ~ ${bind(patternOf(term))}`])
    .join(' and ')
}

function patternOf({ word, beginning }: SearchTerm): string {
  const whole = String.raw`\m${word}s?\M`
  return beginning === null ? whole : String.raw`${whole}|\m${beginning}`
}
