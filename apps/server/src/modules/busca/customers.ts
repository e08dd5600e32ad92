import * as z from 'zod/mini'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { SearchTerm } from '@balcao/engine/search/words'
import { newest, type SearchPlan } from './plan.ts'
import { allOfTerms, anyOfTerms } from './terms.ts'

/** Shorter words are in a name by chance. */
const NAME_WORD_MIN = 3
const NAME_CORRECTIONS_MAX = 2

const nameParts = ({ word, corrections }: SearchTerm): string[] => [word, ...corrections.slice(0, NAME_CORRECTIONS_MAX)]

/** True for a word that may be in the name while others are in the text. */
export const countsInName = ({ word }: SearchTerm): boolean => word.length >= NAME_WORD_MIN

export const namePattern = (term: SearchTerm): string => nameParts(term).join('|')

const CUSTOMERS_MAX = 2_000

/** Customers imported without messages, or with messages of an old version, have no last id. */
const lastId = sql`coalesce(c.ultimo_id,
  (lpad(to_hex((extract(epoch from c.ultima_atividade) * 1000)::bigint), 12, '0') || '7fff7fffffffffffffff')::uuid)`

/** `mask`: bits of the terms in the name. The ids have commas between them, because the driver reads long arrays slowly. */
const listMasks = manyRows(
  'busca: list customers by name',
  z.object({ mask: z.int(), ids: z.string(), last: z.string() }),
  sql`select mask, string_agg(id::text, ',') as ids, string_agg(last::text, ',') as last from (
     select n.mask, c.id, ${lastId} as last from (
       select t.contato_id, t.mask, row_number() over (partition by t.mask order by t.contato_id desc) as number
       from busca_nomes(${contaId}, ${value('patterns', 'text[]')}, ${value('bits', 'int[]')}) t
     ) n join contatos c on c.conta_id = ${contaId} and c.id = n.contato_id
     where n.number <= ${rawSql(String(CUSTOMERS_MAX))} order by n.mask, last desc
   ) n group by mask`,
  { prepared: true, planner: 'indexes' },
)

export type NameGroup = Awaited<ReturnType<typeof listNameGroups>>[number]

/** More words in the name come first. `words`: the other ones, or any word if there is no other. */
export async function listNameGroups(tx: Tx, { contaId: account, terms }: SearchPlan) {
  const parts = terms.flatMap((term, index) =>
    nameParts(term).map((part) => ({ pattern: `%${part}%`, bit: 1 << index })),
  )
  const patterns = parts.map(({ pattern }) => pattern)
  const rows = await listMasks(tx, { contaId: account, patterns, bits: parts.map(({ bit }) => bit) })
  const groups = rows.map(({ mask, ids, last }) => {
    const ends = last.split(',')
    const inName = terms.filter((_, index) => (mask & (1 << index)) !== 0)
    const counted = inName.filter(countsInName)
    const others = terms.filter((term) => !counted.includes(term))
    return {
      customers: ids.split(',').map((id, index) => ({ id, last: ends[index] ?? '' })),
      hasAll: inName.length === terms.length,
      patterns: counted.map(namePattern),
      words: others.length === 0 ? anyOfTerms(account, terms) : allOfTerms(account, others),
    }
  })
  return groups.toSorted((one, other) => other.patterns.length - one.patterns.length)
}

const FIRST_CUSTOMERS = 50
const GROWTH = 4

/** Reads customers by their last messages, until those of the others cannot be on the page. */
export async function readByActivity(
  customers: NameGroup['customers'],
  limit: number,
  floor: string,
  read: (customerIds: readonly string[], floor: string) => Promise<readonly { readonly id: string }[]>,
): Promise<string[]> {
  let found: string[] = []
  let [start, size] = [0, FIRST_CUSTOMERS]
  while (start < customers.length) {
    const oldest = found.length < limit ? floor : (found.at(-1) ?? floor)
    const ids = customers.slice(start, start + size).flatMap(({ id, last }) => (last > oldest ? [id] : []))
    if (ids.length === 0) return found
    found = newest([...found, ...(await read(ids, oldest)).map(({ id }) => id)], limit)
    start += size
    size *= GROWTH
  }
  return found
}
