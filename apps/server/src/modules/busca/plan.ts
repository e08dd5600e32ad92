import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { SearchTerm } from '@balcao/engine/search/words'
import { sql, value } from '#db/statement/sql.ts'
import { readerValues } from '#modules/leitores/index.ts'

export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
/** Greater than every UUIDv7. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export interface SearchPlan {
  readonly contaId: string
  readonly reader: ConversaReader
  readonly terms: readonly SearchTerm[]
  /** Only texts with smaller ids. */
  readonly before: string
  readonly limit: number
}

export const before = value('before', 'uuid')
export const limit = sql`limit ${value('limit', 'int')}`

/** Values of the statements that find texts for a page. */
export const valuesOf = ({ contaId, reader, before: until, limit: max }: SearchPlan) => ({
  ...{ contaId, before: until, limit: max },
  ...readerValues(reader),
})

/** A name has the words of one or two letters by chance. */
const NAME_WORD_MIN = 3
/** Each word is compared with the names of all customers. */
const NAME_CORRECTIONS_MAX = 2

/** The texts of which a name must contain one. */
export const nameParts = ({ word, corrections }: SearchTerm): string[] => [
  word,
  ...corrections.slice(0, NAME_CORRECTIONS_MAX),
]

/** True for a word that may be in the name while others are in the text. */
export const countsInName = ({ word }: SearchTerm): boolean => word.length >= NAME_WORD_MIN

/** Folded words contain letters and digits only, so the pattern needs no escapes. */
export const namePattern = (term: SearchTerm): string => nameParts(term).join('|')

export function newest(ids: readonly string[], max: number): string[] {
  return [...new Set(ids)].toSorted((one, other) => (one < other ? 1 : -1)).slice(0, max)
}
