import * as z from 'zod/mini'
import { isVocabularyWord, trigramsOf } from '@balcao/engine/search/similar'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { withKey } from '#modules/busca/vectors.ts'

/** Words of a conta. The check reads the newest messages first, so words of the oldest ones are left out. */
const WORDS_MAX = 60_000
/** Counting ends here: a rare word is often a typing error itself, and the task need not write the rows of frequent ones. */
const COUNT_MAX = 10
/** Distinct words of one statement. 2,000 ordinary messages have about 5,000; further ones wait for the next check. */
const WORDS_AT_ONCE = 20_000

/** Words and the number of texts with each. */
export class WordCounts {
  readonly #counts = new Map<string, number>()

  /** Adds the folded words of one text. */
  add(words: Iterable<string>): void {
    for (const word of words) {
      const count = this.#counts.get(word) ?? 0
      if (isVocabularyWord(word) && (count > 0 || this.#counts.size < WORDS_AT_ONCE)) this.#counts.set(word, count + 1)
    }
  }

  entries(): [string, number][] {
    return [...this.#counts]
  }
}

const storedSchema = z.object({ palavra: z.string(), rodada: z.number(), vezes: z.number() })

const STORE_SQL = `
insert into busca_palavras as p (conta_id, palavra, vezes, rodada, trios)
select $1, i.palavra, i.vezes, $2, string_to_array(i.trios, ',')
from unnest($3::text[], $4::int[], $5::text[]) as i (palavra, vezes, trios)
on conflict (conta_id, palavra) do update set rodada = excluded.rodada,
  vezes = least(${COUNT_MAX}, excluded.vezes + case when p.rodada = excluded.rodada then p.vezes else 0 end)`

export interface VocabularyState {
  /** Number of the check of all messages. */
  readonly rodada: number
  /** Stored words. */
  readonly palavras: number
}

/** Stores the words as read by the check. Returns the number of new words. New words beyond the limit are left out. */
export async function storeWords(
  tx: Tx,
  contaId: string,
  counts: WordCounts,
  { rodada, palavras }: VocabularyState,
): Promise<number> {
  const counted = counts.entries()
  if (counted.length === 0) return 0
  const stored = await tx.rows(
    storedSchema,
    'select palavra, rodada, vezes from busca_palavras where conta_id = $1 and palavra = any ($2::text[])',
    [contaId, plainArray(counted.map(([word]) => word))],
  )
  const byWord = new Map(stored.map((row) => [row.palavra, row]))
  const changed = counted.filter(([word]) => {
    const row = byWord.get(word)
    return row !== undefined && (row.rodada !== rodada || row.vezes < COUNT_MAX)
  })
  const added = counted.filter(([word]) => !byWord.has(word)).slice(0, Math.max(0, WORDS_MAX - palavras))
  const written = [...changed, ...added]
  if (written.length === 0) return 0
  await tx.query(STORE_SQL, [
    contaId,
    rodada,
    plainArray(written.map(([word]) => word)),
    plainArray(written.map(([, count]) => Math.min(COUNT_MAX, count))),
    // An existing row keeps its trigrams.
    textArray(written.map(([word]) => (byWord.has(word) ? '' : withKey(contaId, trigramsOf(word)).join(',')))),
  ])
  return added.length
}

/**
 * Ends a check of all texts: deletes the words that the check did not read, because no text has them. If the vocabulary
 * is still full, it also deletes the words that only one text has. Returns the number of words left.
 */
export async function deleteUnreadWords(tx: Tx, contaId: string, rodada: number): Promise<number> {
  await tx.query('delete from busca_palavras where conta_id = $1 and rodada < $2', [contaId, rodada])
  const left = await countWords(tx, contaId)
  if (left < WORDS_MAX) return left
  await tx.query('delete from busca_palavras where conta_id = $1 and vezes <= 1', [contaId])
  return countWords(tx, contaId)
}

async function countWords(tx: Tx, contaId: string): Promise<number> {
  const sql = 'select count(*)::int as n from busca_palavras where conta_id = $1'
  const [row] = await tx.rows(z.object({ n: z.number() }), sql, [contaId])
  return row?.n ?? 0
}
