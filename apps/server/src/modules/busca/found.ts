import * as z from 'zod/mini'
import { resultadoBuscaSchema } from '@balcao/contract/entities/busca'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import { instant } from '#db/statement/fields.ts'
import type { Tx } from '#db/transaction.ts'
import { readable } from '#modules/leitores/index.ts'
import { type NameGroup, readByActivity } from './customers.ts'
import {
  before,
  countsInName,
  FIRST_ID,
  LAST_ID,
  limit,
  namePattern,
  newest,
  type SearchPlan,
  valuesOf,
} from './plan.ts'
import { findProgress, idBefore } from './progress.ts'
import { allOfTerms } from './terms.ts'

/**
 * Words in more of the newest 3,000 messages are frequent, about one message of 200. Then the chats of the customers are
 * read, otherwise the messages with the words. Both need about 40 ms at this limit.
 */
const FREQUENT = 15
/** The chats of so few customers are read for all words. */
const FEW_CUSTOMERS = 100
/** More combinations of words in the name are left out, first those with few words in the name. */
const GROUPS_MAX = 8

const idRow = z.object({ id: z.string() })
const words = sql`${value('words', 'text')}::tsquery`
const floor = value('floor', 'uuid')

/** Null instead of ids: more than `rare` of the newest messages have the words. */
const listIndexed = manyRows(
  'busca: find in index',
  z.object({ id: z.nullable(z.string()) }),
  sql`select id from busca_achar(${contaId}, ${words}, ${value('names', 'text[]?')}, ${before}, ${floor},
     ${value('limit', 'int')}, ${value('setores', 'text[]?')}, ${value('leitor', 'uuid?')}, ${value('onlyNotas', 'bool')},
     ${value('rare', 'int?')}) as id`,
)

async function findWhole(tx: Tx, plan: SearchPlan): Promise<string[]> {
  const query = { words: allOfTerms(plan.contaId, plan.terms), names: null, onlyNotas: false, rare: null }
  return (await listIndexed(tx, { ...valuesOf(plan), ...query, floor: FIRST_ID })).flatMap(({ id }) => id ?? [])
}

/** Finds texts in the index with some words of the query, of customers whose names have the others, above `above`. */
async function findSpread(tx: Tx, plan: SearchPlan, names: readonly NameGroup[], above: string): Promise<string[]> {
  const groups = plan.terms.length === 1 ? [] : names.filter(({ patterns }) => patterns.length > 0)
  const found: string[] = []
  for (const { customers, patterns, words: query } of groups.slice(0, GROUPS_MAX)) {
    const values = { ...valuesOf(plan), words: query, floor: above, names: patterns }
    const few = customers.length <= FEW_CUSTOMERS
    const rows = few ? [] : await listIndexed(tx, { ...values, onlyNotas: false, rare: FREQUENT })
    found.push(...rows.flatMap(({ id }) => id ?? []))
    if (!few && rows[0]?.id !== null) continue
    const read = (ids: readonly string[], oldest: string) => listInChats(tx, { ...values, ids, floor: oldest })
    found.push(...(await readByActivity(customers, plan.limit, above, read)))
    // A nota may be newer than the last message of its customer.
    const notas = await listIndexed(tx, { ...values, onlyNotas: true, rare: null })
    found.push(...notas.flatMap(({ id }) => id ?? []))
  }
  return found
}

const listInChats = manyRows(
  'busca: find in chats',
  idRow,
  sql`select m.id from unnest(${value('ids', 'uuid[]')}) as i (contato_id)
   cross join lateral (
     select v.id from conversas v where v.conta_id = ${contaId} and v.contato_id = i.contato_id
       and v.protocolo is not null and ${readable('v')} offset 0
   ) v
   cross join lateral (
     select m.id from mensagens m where m.conta_id = ${contaId} and m.conversa_id = v.id
       and m.id < ${before} and m.id > ${floor} offset 0
   ) m
   cross join lateral (
     select from busca_mensagens b where b.conta_id = ${contaId} and b.mensagem_id = m.id and b.vetor @@ ${words} offset 0
   ) b
   order by m.id desc ${limit}`,
)

/** The last messages of conversas of customers whose names have all words. */
export async function findByName(tx: Tx, plan: SearchPlan, names: readonly NameGroup[]): Promise<string[]> {
  const customers = names.find(({ hasAll }) => hasAll)?.customers ?? []
  return readByActivity(customers, plan.limit, '', (ids) => listLastMensagens(tx, { ...valuesOf(plan), ids }))
}

const listLastMensagens = manyRows(
  'busca: list last messages',
  idRow,
  sql`select m.id from unnest(${value('ids', 'uuid[]')}) as i (contato_id)
   cross join lateral (
     select v.id from conversas v where v.conta_id = ${contaId} and v.contato_id = i.contato_id
       and v.protocolo is not null and ${readable('v')} order by v.id desc limit 1
   ) v
   cross join lateral (
     select m.id from mensagens m where m.conta_id = ${contaId} and m.conversa_id = v.id order by m.id desc limit 1
   ) m
   where m.id < ${before} order by m.id desc ${limit}`,
)

/** The conversa and the customer of a text. `offset 0`: each is read by its key, also while the planner knows no sizes. */
const customerOf = (row: string) => sql`cross join lateral (
     select * from conversas v where v.conta_id = ${rawSql(row)}.conta_id and v.id = ${rawSql(row)}.conversa_id offset 0
   ) v cross join lateral (select * from contatos c where c.conta_id = v.conta_id and c.id = v.contato_id offset 0) c`

/** Texts of one statement, far below its time limit. */
const STEP_ROWS = 4_000
/** After this time a search answers with the texts that it read. */
const STEPS_MS = 700

/** Texts that the index lacks, from the newest one. Folding them costs most. */
const listUnread = manyRows(
  'busca: find unread texts',
  idRow,
  sql`select m.id from (
     select * from busca_fontes f where f.conta_id = ${contaId} and f.tipo <> 'contato' and f.id < ${before}
       and f.id >= ${floor}
       and not exists (select from busca_textos b where b.conta_id = f.conta_id and b.id = f.id offset 0)
     order by f.id desc limit ${rawSql(String(STEP_ROWS))}
   ) m
   ${customerOf('m')}
   cross join lateral (select busca_vetor(m.conta_id, m.palavras) as vetor offset 0) d
   cross join lateral (
     select bool_and(d.vetor @@ terms.words::tsquery or coalesce(c.busca ~ terms.name, false)) as has_all,
       bool_or(d.vetor @@ terms.words::tsquery) as has_one
     from ${columns('terms', { words: 'text', name: 'text?' })}
   ) t
   where t.has_all and t.has_one and v.protocolo is not null and ${readable('v')}
   order by m.id desc ${limit}`,
)

/** Reads the texts from `from` on that the index lacks. */
async function findUnread(tx: Tx, plan: SearchPlan, from: string): Promise<string[]> {
  const terms = plan.terms.map((term) => ({
    words: allOfTerms(plan.contaId, [term]),
    name: countsInName(term) ? namePattern(term) : null,
  }))
  return (await listUnread(tx, { ...valuesOf(plan), terms, floor: from })).map(({ id }) => id)
}

const findStep = oneRow(
  'busca: find end of step',
  idRow,
  sql`select id from busca_fontes where conta_id = ${contaId} and tipo <> 'contato' and id < ${before}
   order by id desc offset ${rawSql(String(STEP_ROWS - 1))} limit 1`,
)

interface ReadPart {
  readonly ids: readonly string[]
  /** Texts with smaller ids were not read. Null: all were. */
  readonly until: string | null
}

/**
 * Reads older texts that the index lacks, the newest first, until the page is full or the time is over. Reads one step at
 * least.
 */
async function findOlder(tx: Tx, plan: SearchPlan, below: string): Promise<ReadPart> {
  const end = performance.now() + STEPS_MS
  const ids: string[] = []
  let from = below < plan.before ? below : plan.before
  do {
    const step = { ...plan, before: from }
    const until = (await findStep(tx, valuesOf(step)))?.id ?? null
    ids.push(...(await findUnread(tx, step, until ?? FIRST_ID)))
    if (until === null) return { ids, until: null }
    from = until
  } while (ids.length < plan.limit && performance.now() < end)
  return { ids, until: from }
}

/** A transaction that began earlier may commit a text with a smaller id than the last one that the task read. */
const LATE_COMMIT_MS = 2 * 60_000

/** Finds the newest texts: those that the task did not read yet, and those of the index. */
export async function findTexts(tx: Tx, plan: SearchPlan, names: readonly NameGroup[]): Promise<ReadPart> {
  const { limit: max } = plan
  const progress = await findProgress(tx, plan)
  if (progress === null) return findOlder(tx, plan, LAST_ID)
  const [fresh, indexed] = await Promise.all([
    findUnread(tx, plan, idBefore(progress.ate, LATE_COMMIT_MS)),
    findWhole(tx, plan),
  ])
  const whole = newest([...fresh, ...indexed], max)
  const above = whole.length < max ? FIRST_ID : (whole.at(-1) ?? FIRST_ID)
  const ids = newest([...whole, ...(await findSpread(tx, plan, names, above))], max)
  if (progress.oldestBelow === null || ids.length === max) return { ids, until: null }
  const older = await findOlder(tx, plan, progress.oldestBelow)
  return { ids: newest([...ids, ...older.ids], max), until: older.until }
}

/** The results of these ids, without the name and the excerpt that are made of their last fields. */
export const listTexts = manyRows(
  'busca: list texts',
  z.extend(z.omit(resultadoBuscaSchema, { cliente: true, trecho: true }), {
    timestamp: instant,
    origem: z.enum(['cliente', 'bot', 'ia', 'operador', 'celular', 'nota']),
    ...{ texto: z.string(), nome: z.string(), telefone: z.string(), nomeUsuario: z.string() },
  }),
  sql`select f.conversa_id, f.id as mensagem_id, f.criada_em as timestamp, f.texto, c.nome, c.telefone, c.nome_usuario,
     case f.origem when 'telefone' then 'celular' else f.origem end as origem
   from busca_fontes f ${customerOf('f')}
   where f.conta_id = ${contaId} and f.id = any (${value('ids', 'uuid[]')}) order by f.id desc`,
)
