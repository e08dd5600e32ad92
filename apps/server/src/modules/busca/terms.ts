import * as z from 'zod/mini'
import { allowedErrors, correctionsOf } from '@balcao/engine/search/similar'
import { type SearchTerm, termsOf } from '@balcao/engine/search/words'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

const CORRECTED_MAX = 3

/** Reads the words of a query. Words that no text has get similar ones. Empty without letter or digit. */
export async function readTerms(tx: Tx, account: { readonly contaId: string }, query: string): Promise<SearchTerm[]> {
  const terms = termsOf((await foldWords(tx, { query })).map(({ word }) => word))
  const open = terms.filter(({ word }) => allowedErrors(word) > 0)
  const known = new Set((await listKnown(tx, { ...account, terms: open })).map(({ word }) => word))
  const unknown = open.filter(({ word }) => !known.has(word)).slice(0, CORRECTED_MAX)
  return Promise.all(
    terms.map(async (term) => {
      if (!unknown.includes(term)) return term
      const similar = await listSimilar(tx, { ...account, word: term.word, errors: allowedErrors(term.word) })
      return { ...term, corrections: correctionsOf(term.word, similar) }
    }),
  )
}

const wordSchema = z.object({ word: z.string() })

const foldWords = manyRows(
  'busca: fold words',
  wordSchema,
  sql`select w.word from string_to_table(busca_dobrar(${value('query', 'text')}), ' ') with ordinality as w (word, number)
   where w.word <> '' order by w.number`,
  { prepared: true, planner: 'indexes' },
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
  { prepared: true, planner: 'indexes' },
)

const listSimilar = manyRows(
  'busca: list similar words',
  z.object({ word: z.string(), count: z.int() }),
  sql`select palavra as word, vezes as count
   from busca_semelhantes(${contaId}, ${value('word', 'text')}, ${value('errors', 'int')})`,
  { prepared: true, planner: 'indexes' },
)

/** Digits of the conta id before each stored word. Words of another conta with the same digits are filtered out. */
const CONTA_DIGITS = 6

/** A `tsquery` for each term. Folded words contain letters and digits only, so they need no escapes. */
function queriesOf(account: string, terms: readonly SearchTerm[]): string[] {
  const quoted = (word: string): string => `'${account.slice(-CONTA_DIGITS)}${word}'`
  return terms.map(({ word, beginning, corrections }) => {
    const beginnings = beginning === null ? [] : [`${quoted(beginning)}:*`]
    return `(${[...[word, ...corrections].map(quoted), ...beginnings].join(' | ')})`
  })
}

export const allOfTerms = (account: string, terms: readonly SearchTerm[]): string =>
  queriesOf(account, terms).join(' & ')

export const anyOfTerms = (account: string, terms: readonly SearchTerm[]): string =>
  queriesOf(account, terms).join(' | ')
