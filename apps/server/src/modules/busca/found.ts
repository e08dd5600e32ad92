import * as z from 'zod/mini'
import { resultadoBuscaSchema } from '@balcao/contract/entities/busca'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import { instant } from '#db/statement/fields.ts'
import type { Tx } from '#db/transaction.ts'
import { readable } from '#modules/leitores/index.ts'
import { countsInName, type NameGroup, namePattern, readByActivity } from './customers.ts'
import { before, findProgress, FIRST_ID, idBefore, LAST_ID, limit, newest, type SearchPlan, valuesOf } from './plan.ts'
import { allOfTerms } from './terms.ts'

/** Words in more of the newest 3,000 messages: reading the chats costs less then. Both take about 40 ms at this limit. */
const FREQUENT = 15
const FEW_CUSTOMERS = 100
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
     ${value('rare', 'int?')}, ${value('linhas', 'uuid[]?')}, ${value('linha', 'uuid?')}) as id`,
  { prepared: true, planner: 'indexes' },
)

const idsOf = (rows: readonly { readonly id: string | null }[]): string[] => rows.flatMap(({ id }) => id ?? [])

/** Finds indexed texts with some words of the query, of customers whose names have the others. */
async function findSpread(tx: Tx, plan: SearchPlan, names: readonly NameGroup[], above: string): Promise<string[]> {
  const groups = plan.terms.length === 1 ? [] : names.filter(({ patterns }) => patterns.length > 0)
  const found: string[] = []
  for (const { customers, patterns, words: query } of groups.slice(0, GROUPS_MAX)) {
    const values = { ...valuesOf(plan), words: query, floor: above, names: patterns, onlyNotas: false, rare: FREQUENT }
    const indexed = customers.length <= FEW_CUSTOMERS ? [{ id: null }] : await listIndexed(tx, values)
    found.push(...idsOf(indexed))
    if (indexed[0]?.id !== null) continue
    const read = (ids: readonly string[], oldest: string) => listInChats(tx, { ...values, ids, floor: oldest })
    found.push(...(await readByActivity(customers, plan.limit, above, read)))
    // A nota may be newer than the last message of its customer.
    found.push(...idsOf(await listIndexed(tx, { ...values, onlyNotas: true, rare: null })))
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
  { prepared: true, planner: 'indexes' },
)

/** The last messages of conversas of customers whose names have all words. */
export async function findByName(tx: Tx, plan: SearchPlan, names: Promise<readonly NameGroup[]>): Promise<string[]> {
  const customers = (await names).find(({ hasAll }) => hasAll)?.customers ?? []
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
  { prepared: true, planner: 'indexes' },
)

/** `offset 0`: conversa and customer are read by their keys, also while the planner knows no sizes. */
const customerOf = (row: string) => sql`cross join lateral (
     select * from conversas v where v.conta_id = ${rawSql(row)}.conta_id and v.id = ${rawSql(row)}.conversa_id offset 0
   ) v cross join lateral (select * from contatos c where c.conta_id = v.conta_id and c.id = v.contato_id offset 0) c`

const STEP_ROWS = 4_000
const STEPS_MS = 700

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
  { prepared: true, planner: 'indexes' },
)

async function findUnread(tx: Tx, plan: SearchPlan, from: string): Promise<string[]> {
  const terms = plan.terms.map((term) => ({
    words: allOfTerms(plan.contaId, [term]),
    name: countsInName(term) ? namePattern(term) : null,
  }))
  return idsOf(await listUnread(tx, { ...valuesOf(plan), terms, floor: from }))
}

const findStep = oneRow(
  'busca: find end of step',
  idRow,
  sql`select id from busca_fontes where conta_id = ${contaId} and tipo <> 'contato' and id < ${before}
   order by id desc offset ${rawSql(String(STEP_ROWS - 1))} limit 1`,
  { prepared: true, planner: 'indexes' },
)

/** Reads at least one step of texts that the index lacks, the newest first. Texts below `until` were not read. */
async function findOlder(tx: Tx, plan: SearchPlan, below: string): Promise<{ ids: string[]; until: string | null }> {
  const end = performance.now() + STEPS_MS
  const ids: string[] = []
  let until: string | null = below < plan.before ? below : plan.before
  do {
    const step: SearchPlan = { ...plan, before: until }
    until = (await findStep(tx, valuesOf(step)))?.id ?? null
    ids.push(...(await findUnread(tx, step, until ?? FIRST_ID)))
  } while (until !== null && ids.length < plan.limit && performance.now() < end)
  return { ids, until }
}

/** A transaction that began earlier may commit a text with a smaller id than the last one that the task read. */
const LATE_COMMIT_MS = 2 * 60_000

export async function findTexts(tx: Tx, plan: SearchPlan, names: Promise<readonly NameGroup[]>) {
  const progress = await findProgress(tx, plan)
  if (progress === null) return findOlder(tx, plan, LAST_ID)
  const query = { words: allOfTerms(plan.contaId, plan.terms), names: null, onlyNotas: false, rare: null }
  const [fresh, indexed] = await Promise.all([
    findUnread(tx, plan, idBefore(progress.ate, LATE_COMMIT_MS)),
    listIndexed(tx, { ...valuesOf(plan), ...query, floor: FIRST_ID }),
  ])
  const whole = newest([...fresh, ...idsOf(indexed)], plan.limit)
  const above = whole.length < plan.limit ? FIRST_ID : (whole.at(-1) ?? FIRST_ID)
  const ids = newest([...whole, ...(await findSpread(tx, plan, await names, above))], plan.limit)
  if (progress.oldestBelow === null || ids.length === plan.limit) return { ids, until: null }
  const older = await findOlder(tx, plan, progress.oldestBelow)
  return { ids: newest([...ids, ...older.ids], plan.limit), until: older.until }
}

export const listTexts = manyRows(
  'busca: list texts',
  z.extend(z.omit(resultadoBuscaSchema, { cliente: true, trecho: true, marcas: true }), {
    timestamp: instant,
    origem: z.enum(['cliente', 'bot', 'ia', 'operador', 'celular', 'nota']),
    texto: z.string(),
    nome: z.string(),
    telefone: z.string(),
    nomeUsuario: z.string(),
  }),
  sql`select f.conversa_id, f.id as mensagem_id, f.criada_em as timestamp, f.texto, c.nome, c.telefone, c.nome_usuario,
     case f.origem when 'telefone' then 'celular' else f.origem end as origem
   from busca_fontes f ${customerOf('f')}
   where f.conta_id = ${contaId} and f.id = any (${value('ids', 'uuid[]')}) order by f.id desc`,
  { prepared: true, planner: 'indexes' },
)
