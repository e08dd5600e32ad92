import * as z from 'zod/mini'
import { allowedErrors, correctionsOf, sharedTrigrams, trigramsOf } from '@balcao/engine/search/similar'
import type { SearchTerm } from '@balcao/engine/search/words'
import { textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { withKey } from './vectors.ts'

/** Each corrected word costs a look into the vocabulary. */
const CORRECTED_MAX = 3

/** Adds the similar words of the vocabulary to words that no text has. Other words stay exact. */
export async function correctTerms(
  tx: Tx,
  contaId: string,
  terms: readonly SearchTerm[],
): Promise<readonly SearchTerm[]> {
  const open = terms.filter(({ word }) => allowedErrors(word) > 0)
  if (open.length === 0) return terms
  const known = await listKnown(tx, contaId, open)
  const unknown = open.filter(({ word }) => !known.has(word)).slice(0, CORRECTED_MAX)
  const found = await Promise.all(unknown.map(({ word }) => findSimilar(tx, contaId, word)))
  const byWord = new Map(unknown.map(({ word }, index) => [word, found[index] ?? []]))
  return terms.map((term) => ({ ...term, corrections: byWord.get(term.word) ?? [] }))
}

/** Greater than every letter. */
const AFTER_LETTERS = '~'

/** The words of the terms that are in the vocabulary or begin one of its words. */
async function listKnown(tx: Tx, contaId: string, terms: readonly SearchTerm[]): Promise<ReadonlySet<string>> {
  const rows = await tx.rows(
    z.object({ termo: z.string() }),
    `select i.termo from unnest($2::text[], $3::text[]) as i (termo, inicio) where exists (
       select from busca_palavras p where p.conta_id = $1 and p.palavra = i.termo
     ) or exists (
       select from busca_palavras p where p.conta_id = $1 and p.palavra >= i.inicio and p.palavra < i.inicio || '${AFTER_LETTERS}'
     )`,
    [contaId, textArray(terms.map(({ word }) => word)), textArray(terms.map(({ beginning }) => beginning))],
  )
  return new Set(rows.map(({ termo }) => termo))
}

const similarSchema = z.object({ palavra: z.string(), vezes: z.number() })

async function findSimilar(tx: Tx, contaId: string, word: string): Promise<readonly string[]> {
  const errors = allowedErrors(word)
  const rows = await tx.rows(
    similarSchema,
    'select palavra, vezes from busca_parecidas($1::uuid, $2::text[], $3, $4, $5)',
    [
      contaId,
      textArray(withKey(contaId, trigramsOf(word))),
      word.length - errors,
      word.length + errors,
      sharedTrigrams(word),
    ],
  )
  return correctionsOf(
    word,
    rows.map(({ palavra, vezes }) => ({ word: palavra, count: vezes })),
  )
}
