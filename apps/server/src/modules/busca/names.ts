import * as z from 'zod/mini'
import { nameParts, type SearchTerm } from '@balcao/engine/search/words'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { bindTo, readableSql } from '#modules/conversas/index.ts'
import type { SearchPlan } from './plan.ts'

/** Customers of one name: the newest ones, in the order of their last messages. */
const CUSTOMERS_MAX = 2_000
/** Customers whose chats are read by one statement. The first ones often fill the page. */
const FIRST_CUSTOMERS = 50
const GROWTH = 4

interface Customer {
  readonly id: string
  /** No message of the customer has a greater id. */
  readonly last: string
}

/** Customers whose names have the same words of the query. */
export interface NameGroup {
  readonly inName: readonly SearchTerm[]
  readonly others: readonly SearchTerm[]
  readonly customers: readonly Customer[]
}

/** Ids with commas between them, because the driver reads long arrays slowly. */
const groupSchema = z.object({ mascara: z.number(), ids: z.string(), ultimos: z.string() })

/** Customers imported without messages, or with messages of an old version, have no last id. */
const LAST_SQL = `coalesce(c.ultimo_id,
  (lpad(to_hex((extract(epoch from c.ultima_atividade) * 1000)::bigint), 12, '0') || '7fff7fffffffffffffff')::uuid)`

/** Reads all names once, in an index. */
export async function listNameGroups(tx: Tx, { contaId, terms }: SearchPlan): Promise<NameGroup[]> {
  const values: unknown[] = [contaId]
  const bind = bindTo(values)
  const conditions = terms.map((term) => {
    const parts = nameParts(term)
    return (parts.length === 0 ? [term.word] : parts).map((part) => `c.busca like ${bind(`%${part}%`)}`).join(' or ')
  })
  const bits = conditions.map((condition, index) => `case when ${condition} then ${2 ** index} else 0 end`)
  const rows = await tx.rows(
    groupSchema,
    `select mascara, string_agg(id::text, ',') as ids, string_agg(ultimo::text, ',') as ultimos from (
       select n.mascara, n.id, ${LAST_SQL} as ultimo from (
         select id, mascara, row_number() over (partition by mascara order by id desc) as ordem
         from (select c.id, ${bits.join(' + ')} as mascara from contatos c where c.conta_id = $1 offset 0) t where mascara > 0
       ) n join contatos c on c.conta_id = $1 and c.id = n.id
       where n.ordem <= ${CUSTOMERS_MAX} order by n.mascara, ultimo desc
     ) n group by mascara`,
    values,
  )
  return rows.map(({ mascara, ids, ultimos }) => {
    const isInName = (_: SearchTerm, index: number): boolean => Math.floor(mascara / 2 ** index) % 2 === 1
    const last = ultimos.split(',')
    return {
      inName: terms.filter(isInName),
      others: terms.filter((term, index) => !isInName(term, index)),
      customers: ids.split(',').map((id, index) => ({ id, last: last[index] ?? '' })),
    }
  })
}

/** Patterns of the names. A word that does not count in names has none. */
export const namePatterns = (terms: readonly SearchTerm[]): string[] =>
  // Folded words contain letters and digits only, so the patterns need no escapes.
  terms.map((term) => nameParts(term).join('|')).filter((pattern) => pattern !== '')

/** The last messages of conversas of customers whose names have all words. */
export function findByName(tx: Tx, plan: SearchPlan, groups: readonly NameGroup[]): Promise<string[]> {
  const customers = groups.find(({ others }) => others.length === 0)?.customers ?? []
  return readByActivity(customers, plan.limit, '', (ids) => readLastMensagens(tx, plan, ids))
}

/** Reads customers by their last messages, until those of the others cannot be on the page. */
export async function readByActivity(
  customers: readonly Customer[],
  limit: number,
  floor: string,
  read: (customerIds: readonly string[], floor: string) => Promise<readonly string[]>,
): Promise<string[]> {
  let found: string[] = []
  let [start, size] = [0, FIRST_CUSTOMERS]
  while (start < customers.length) {
    const oldest = found.length < limit ? floor : (found.at(-1) ?? floor)
    const ids = customers.slice(start, start + size).flatMap(({ id, last }) => (last > oldest ? [id] : []))
    if (ids.length === 0) return found
    found = [...found, ...(await read(ids, oldest))].toSorted((one, other) => (one < other ? 1 : -1)).slice(0, limit)
    start += size
    size *= GROWTH
  }
  return found
}

async function readLastMensagens(
  tx: Tx,
  { contaId, reader, before, limit }: SearchPlan,
  ids: readonly string[],
): Promise<string[]> {
  const values: unknown[] = [contaId, before, plainArray(ids)]
  const bind = bindTo(values)
  const rows = await tx.rows(
    z.object({ id: z.string() }),
    `select m.id from unnest($3::uuid[]) as i (contato_id)
     cross join lateral (
       select v.id from conversas v where v.conta_id = $1 and v.contato_id = i.contato_id and v.protocolo is not null
         and ${readableSql(reader, 'v', bind)} order by v.id desc limit 1
     ) v
     cross join lateral (
       select m.id from mensagens m where m.conta_id = $1 and m.conversa_id = v.id order by m.id desc limit 1
     ) m
     where m.id < $2::uuid order by m.id desc limit ${bind(limit)}`,
    values,
  )
  return rows.map(({ id }) => id)
}
