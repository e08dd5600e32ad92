import * as z from 'zod/mini'
import { foldedWords } from '@balcao/engine/search/words'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { PeriodicTask } from '#lib/every.ts'
import { FIRST_ID, idBefore, LAST_ID } from './progress.ts'
import { lexemesOf } from './vectors.ts'

const INTERVAL_MS = 30_000
/** The start is not slowed down. */
const FIRST_RUN_MS = 20_000
const BATCH_ROWS = 2_000
/** WhatsApp allows edits for 15 minutes. An edited message is read again. */
const EDIT_MS = 20 * 60_000
/** Messages with ids of an earlier time are found by a check of all messages. */
const CHECK_DAYS = 7
/** Rest after a batch of old messages, in times of its work. A busy shop does not notice the task. */
const REST = 2
/** Older messages are read in later rounds. */
const ROUND_MS = 20_000

export type SearchIndexDeps = Pick<Deps, 'db' | 'clock' | 'leader' | 'log' | 'sleep'>

export interface SearchIndexJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** Reads the words of new messages every 30 s on one node, and those of older messages at the first start. */
export function searchIndexJob(deps: SearchIndexDeps): SearchIndexJob {
  let task: PeriodicTask | null = null
  let stopping = false
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'search index not updated, retrying')
  return {
    start: () => {
      task ??= deps.leader.every({
        ...{ name: 'busca', ms: INTERVAL_MS, firstMs: FIRST_RUN_MS, failed },
        task: () => indexRound(deps, () => stopping),
      })
    },
    stop: async () => {
      stopping = true
      await task?.stop()
    },
  }
}

/** Reads the new messages of all contas, then older ones for at most 20 s. */
export async function indexRound(deps: SearchIndexDeps, stopped: () => boolean): Promise<void> {
  const due = await deps.db.read('*', (tx) => listDueContas(tx, deps.clock.now()))
  for (const { id } of due) if (!stopped()) await deps.db.transaction(id, (tx) => indexNewest(tx, id, deps.clock.now()))
  const end = performance.now() + ROUND_MS
  let open = due.map(({ id }) => id)
  while (open.length > 0) {
    const unfinished: string[] = []
    for (const contaId of open) {
      if (stopped() || performance.now() > end) return
      const begun = performance.now()
      const more = await deps.db.transaction(contaId, (tx) => indexOlder(tx, contaId, deps.clock.now()))
      if (more) unfinished.push(contaId)
      if (more) await deps.sleep(REST * (performance.now() - begun))
    }
    open = unfinished
  }
}

const dueSchema = z.object({ id: z.string() })

/** Contas with newer messages than the task read, with older ones, or without a check in the last seven days. */
function listDueContas(tx: Tx, now: Date): Promise<{ readonly id: string }[]> {
  return tx.rows(
    dueSchema,
    `select c.id from contas c left join busca_contas b on b.conta_id = c.id
     where c.excluida_em is null and (b.desde is not null or b.completa_em < $1::timestamptz - interval '${CHECK_DAYS} days'
       or exists (select from mensagens m where m.conta_id = c.id
         and m.id > coalesce(b.ate, '${FIRST_ID}')))`,
    [now],
  )
}

const stateSchema = z.object({ ate: z.string(), desde: z.nullable(z.string()) })

/** Reads the newest messages. Older ones that do not fit into a batch are left to `indexOlder`. */
async function indexNewest(tx: Tx, contaId: string, now: Date): Promise<void> {
  const [state] = await tx.rows(stateSchema, 'select ate, desde from busca_contas where conta_id = $1 for update', [
    contaId,
  ])
  const floor = state === undefined ? FIRST_ID : idBefore(state.ate, EDIT_MS)
  const { newest, oldest, full } = await indexRange(tx, contaId, { above: floor, below: LAST_ID })
  if (newest === undefined) return
  // Without a full batch everything above `floor` is read.
  const gap = full && (state === undefined || oldest > state.ate)
  await tx.query(
    `insert into busca_contas (conta_id, ate, desde, completa_em) values ($1, $2, $3::uuid, case when $4 then null else $5::timestamptz end)
     on conflict (conta_id) do update set ate = greatest(busca_contas.ate, excluded.ate),
       desde = case when $4 then excluded.desde else busca_contas.desde end,
       completa_em = case when $4 then null else busca_contas.completa_em end`,
    [contaId, newest, gap ? oldest : null, gap, now],
  )
}

/** Reads one batch of older messages. Returns true if there are more. Begins a check after seven days. */
async function indexOlder(tx: Tx, contaId: string, now: Date): Promise<boolean> {
  await tx.query(
    `update busca_contas set desde = ate, completa_em = $2 where conta_id = $1 and desde is null
       and completa_em < $2::timestamptz - interval '${CHECK_DAYS} days'`,
    [contaId, now],
  )
  const [state] = await tx.rows(stateSchema, 'select ate, desde from busca_contas where conta_id = $1 for update', [
    contaId,
  ])
  const below = state?.desde ?? null
  if (below === null) return false
  const { oldest, full } = await indexRange(tx, contaId, { above: FIRST_ID, below })
  await tx.query(
    `update busca_contas set desde = case when $3 then $2::uuid end,
       completa_em = case when $3 then completa_em else coalesce(completa_em, $4) end where conta_id = $1`,
    [contaId, full ? oldest : null, full, now],
  )
  return full
}

interface IndexedRange {
  readonly newest: string | undefined
  readonly oldest: string
  /** The range may have more messages. */
  readonly full: boolean
}

const unreadSchema = z.object({ id: z.string(), texto: z.nullable(z.string()) })

const RANGE_SQL = `
select m.id, case when b.mensagem_id is null then concat_ws(' ', m.texto, m.extras ->> 'edicao') end as texto
from (
  select * from mensagens m where m.conta_id = $1 and m.id > $2 and m.id < $3 order by m.id desc limit ${BATCH_ROWS}
) m left join busca_mensagens b on b.conta_id = m.conta_id and b.mensagem_id = m.id order by m.id desc`

/** The conversa is read again, because a join of contatos may have moved the message. */
const INSERT_SQL = `
insert into busca_mensagens (conta_id, mensagem_id, conversa_id, vetor)
select m.conta_id, m.id, m.conversa_id, array_to_tsvector(string_to_array(i.lexemas, ' '))
from unnest($2::uuid[], $3::text[]) as i (id, lexemas)
cross join lateral (select * from mensagens m where m.conta_id = $1 and m.id = i.id offset 0) m
on conflict do nothing`

/** Reads the newest batch of the range and stores the words of the messages that the index lacks. */
async function indexRange(
  tx: Tx,
  contaId: string,
  { above, below }: { readonly above: string; readonly below: string },
): Promise<IndexedRange> {
  const rows = await tx.rows(unreadSchema, RANGE_SQL, [contaId, above, below])
  const unread = rows.flatMap(({ id, texto }) => (texto === null ? [] : [{ id, words: foldedWords(texto) }]))
  if (unread.length > 0) {
    await tx.query(INSERT_SQL, [
      contaId,
      plainArray(unread.map(({ id }) => id)),
      textArray(unread.map(({ words }) => lexemesOf(contaId, words))),
    ])
  }
  return { newest: rows[0]?.id, oldest: rows.at(-1)?.id ?? below, full: rows.length === BATCH_ROWS }
}
