import * as z from 'zod/mini'
import { nameParts } from '@balcao/engine/search/words'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { bindTo, readableSql } from '#modules/conversas/index.ts'
import { findWithIndex } from './found.ts'
import { type NameGroup, namePatterns, readByActivity } from './names.ts'
import type { SearchPlan } from './plan.ts'
import { allOfTerms, anyOfTerms } from './vectors.ts'

/** Newest messages that show how frequent words are. */
const SAMPLE_ROWS = 3_000
/**
 * Words in more messages of the sample are frequent, about one message of 200. Then the chats of the customers are read,
 * otherwise the messages with the words. Both need about 40 ms at this limit.
 */
const FREQUENT = 15
/** The chats of so few customers are read for all words. */
const FEW_CUSTOMERS = 100
/** More combinations of words in the name are left out, first those with few words in the name. */
const GROUPS_MAX = 8

interface SpreadGroup extends NameGroup {
  /** Text of a `tsquery` for the messages. */
  readonly words: string
}

/**
 * Finds messages in the index that have some words of the query, of customers whose names have the others. Ids up to
 * `floor` do not matter.
 */
export async function findSpread(
  tx: Tx,
  plan: SearchPlan,
  names: readonly NameGroup[],
  floor: string,
): Promise<string[]> {
  const groups = listGroups(plan, names)
  if (groups.length === 0) return []
  const counts = await sampleMatches(tx, plan, groups)
  const found: string[] = []
  for (const [index, group] of groups.entries()) {
    const chats = (counts[index] ?? 0) > FREQUENT || group.customers.length <= FEW_CUSTOMERS
    found.push(...(chats ? await findInChats(tx, plan, group, floor) : await findByWords(tx, plan, group, floor)))
  }
  return found
}

/** Groups whose names have some words of a query. A word of one or two letters counts in texts only. */
export function listGroups({ contaId, terms }: SearchPlan, names: readonly NameGroup[]): SpreadGroup[] {
  if (terms.length < 2) return []
  const groups = names.flatMap((group) => {
    const inName = group.inName.filter((term) => nameParts(term).length > 0)
    if (inName.length === 0) return []
    const others = terms.filter((term) => !inName.includes(term))
    const words = others.length === 0 ? anyOfTerms(contaId, terms) : allOfTerms(contaId, others)
    return [{ ...group, inName, others, words }]
  })
  return groups.toSorted((one, other) => one.others.length - other.others.length).slice(0, GROUPS_MAX)
}

/** Counts for each group the messages of the sample with its words. */
async function sampleMatches(
  tx: Tx,
  { contaId, before }: SearchPlan,
  groups: readonly SpreadGroup[],
): Promise<readonly number[]> {
  const values: unknown[] = [contaId, before]
  const bind = bindTo(values)
  const counts = groups.map(({ words }) => `count(*) filter (where b.vetor @@ ${bind(words)}::tsquery)::int`)
  const [row] = await tx.rows(
    z.object({ vezes: z.array(z.number()) }),
    `select array[${counts.join(', ')}] as vezes from (
       select vetor from busca_mensagens where conta_id = $1 and mensagem_id < $2::uuid
       order by mensagem_id desc limit ${SAMPLE_ROWS} offset 0
     ) b`,
    values,
  )
  return row?.vezes ?? []
}

/** Reads the messages with the words and keeps those of customers with the name. */
function findByWords(tx: Tx, plan: SearchPlan, { inName, words }: SpreadGroup, floor: string): Promise<string[]> {
  return findWithIndex(tx, plan, { words, floor, names: namePatterns(inName) })
}

/** Reads the chats of the customers who wrote last, until older ones cannot be on the page. */
function findInChats(tx: Tx, plan: SearchPlan, { customers, words }: SpreadGroup, floor: string): Promise<string[]> {
  return readByActivity(customers, plan.limit, floor, (ids, oldest) =>
    readChats(tx, plan, { ids, words, floor: oldest }),
  )
}

interface Chats {
  readonly ids: readonly string[]
  readonly words: string
  readonly floor: string
}

async function readChats(
  tx: Tx,
  { contaId, reader, before, limit }: SearchPlan,
  { ids, words, floor }: Chats,
): Promise<string[]> {
  const values: unknown[] = [contaId, before, floor, plainArray(ids), words]
  const bind = bindTo(values)
  const rows = await tx.rows(
    z.object({ id: z.string() }),
    `select m.id from unnest($4::uuid[]) as i (contato_id)
     cross join lateral (
       select v.id from conversas v where v.conta_id = $1 and v.contato_id = i.contato_id and v.protocolo is not null
         and ${readableSql(reader, 'v', bind)} offset 0
     ) v
     cross join lateral (
       select m.id from mensagens m where m.conta_id = $1 and m.conversa_id = v.id and m.id < $2::uuid and m.id > $3::uuid
       offset 0
     ) m
     cross join lateral (
       select from busca_mensagens b where b.conta_id = $1 and b.mensagem_id = m.id and b.vetor @@ $5::tsquery offset 0
     ) b
     order by m.id desc limit ${bind(limit)}`,
    values,
  )
  return rows.map(({ id }) => id)
}
