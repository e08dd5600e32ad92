import * as z from 'zod/mini'
import { allowedErrors, correctionsOf } from '@balcao/engine/search/similar'
import { type SearchTerm, termsOf } from '@balcao/engine/search/words'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

/**
 * The words of a query for texts of any kind whose words `busca_vetor` stores. `unaccent` folds both, and `pg_trgm` finds
 * the words of the vocabulary that are similar to a misspelt one.
 */

/** Each corrected word costs a look into the vocabulary. */
const CORRECTED_MAX = 3

/** Reads the words of a query. Words that no text has get similar ones. Empty without letter or digit. */
export async function readTerms(tx: Tx, account: { readonly contaId: string }, query: string): Promise<SearchTerm[]> {
  const folded = await foldWords(tx, { query })
  const terms = termsOf(folded.map(({ word }) => word))
  const open = terms.filter(({ word }) => allowedErrors(word) > 0)
  const known = new Set((await listKnown(tx, { ...account, terms: open })).map(({ word }) => word))
  const unknown = open.filter(({ word }) => !known.has(word)).slice(0, CORRECTED_MAX)
  const found = await Promise.all(
    unknown.map(({ word }) => listSimilar(tx, { ...account, word, errors: allowedErrors(word) })),
  )
  const byWord = new Map(unknown.map(({ word }, index) => [word, correctionsOf(word, found[index] ?? [])]))
  return terms.map((term) => ({ ...term, corrections: byWord.get(term.word) ?? [] }))
}

const wordSchema = z.object({ word: z.string() })

const foldWords = manyRows(
  'busca: fold words',
  wordSchema,
  sql`select w.word from string_to_table(busca_dobrar(${value('query', 'text')}), ' ') with ordinality as w (word, number)
   where w.word <> '' order by w.number`,
)

/** The words that are in the vocabulary or begin one of its words. `~` is greater than every letter. */
const listKnown = manyRows(
  'busca: list known words',
  wordSchema,
  sql`select terms.word from ${columns('terms', { word: 'text', beginning: 'text?' })} where exists (
     select from busca_palavras p where p.conta_id = ${contaId} and p.palavra = terms.word
   ) or exists (
     select from busca_palavras p
     where p.conta_id = ${contaId} and p.palavra >= terms.beginning and p.palavra < terms.beginning || '~'
   )`,
)

const listSimilar = manyRows(
  'busca: list similar words',
  z.object({ word: z.string(), count: z.int() }),
  sql`select palavra as word, vezes as count
   from busca_semelhantes(${contaId}, ${value('word', 'text')}, ${value('errors', 'int')})`,
)

/** Digits of the conta id before each stored word. Words of another conta with the same digits are filtered out. */
const CONTA_DIGITS = 6

/** Texts of a `tsquery` for each term. Folded words contain letters and digits only, so they need no escapes. */
function queriesOf(account: string, terms: readonly SearchTerm[]): string[] {
  const quoted = (word: string): string => `'${account.slice(-CONTA_DIGITS)}${word}'`
  return terms.map(({ word, beginning, corrections }) => {
    const beginnings = beginning === null ? [] : [`${quoted(beginning)}:*`]
    return `(${[...[word, ...corrections].map(quoted), ...beginnings].join(' | ')})`
  })
}

/** Text of a `tsquery` for texts with all terms. */
export const allOfTerms = (account: string, terms: readonly SearchTerm[]): string =>
  queriesOf(account, terms).join(' & ')

/** Text of a `tsquery` for texts with one of the terms at least. */
export const anyOfTerms = (account: string, terms: readonly SearchTerm[]): string =>
  queriesOf(account, terms).join(' | ')
