import * as z from 'zod/mini'
import { plainArray, textArray } from '#db/arrays.ts'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import type { Tx } from '#db/transaction.ts'

/** Rows read in one round, of each kind. */
const ROUND_MAX = 200

/** `fila`: the queue of the conta changed. `saiu`: a person has no window. `no`: a node with windows died. */
const dueSchema = z.object({
  conta_id: z.string(),
  tipo: z.enum(['fila', 'resposta', 'silencio', 'agendada', 'respondeu', 'saiu', 'no']),
  linhas: z.int(),
})
export type DueKind = z.output<typeof dueSchema>['tipo']

/** False for contas that were read in this look or whose work runs ($4), and for work that rests ($3: `<kind> <conta id>`). */
const awake = (tipo: string): string =>
  `conta_id <> all ($4::uuid[]) and ${tipo} || ' ' || conta_id <> all ($3::text[])`

/**
 * PostgreSQL reads one index entry for each kind that has no due rows. After the import of a backup all work rests until
 * the decision: messages of the backup may have left before.
 */
const DUE_SQL = `
select * from (
select conta_id, case when contato_id is null then 'fila' else 'respondeu' end as tipo, count(*)::int as linhas
from (
  select conta_id, contato_id from sinais
  where ${awake(`case when contato_id is null then 'fila' else 'respondeu' end`)} limit ${ROUND_MAX}) s
group by 1, 2
union all
select conta_id, tipo, count(*)::int from (
  select conta_id, tipo from prazos where tipo <> 'semNinguem' and vence_em <= $1 and ${awake('tipo')}
  order by vence_em limit ${ROUND_MAX}) p
group by 1, 2
union all
select conta_id, 'agendada', count(*)::int from (
  select conta_id from agendadas where estado = 'marcada' and enviar_em <= $1
    and (tentar_em is null or tentar_em <= $1) and ${awake(`'agendada'`)}
  order by enviar_em limit ${ROUND_MAX}) a
group by 1
union all
select conta_id, 'fila', count(*)::int from (
  select conta_id from regras_atendimento where abre_em <= $1 and ${awake(`'fila'`)} order by abre_em limit ${ROUND_MAX}) r
group by 1
union all
select conta_id, 'saiu', count(*)::int from (
  select conta_id from presencas where saiu_em <= $2 and ${awake(`'saiu'`)} order by saiu_em limit ${ROUND_MAX}) o
group by 1
union all
select p.conta_id, 'no', count(*)::int from nos n cross join lateral (
  select conta_id from presencas p where p.no = n.id and p.saiu_em is null and conta_id <> all ($4::uuid[]) limit ${ROUND_MAX}
) p where n.morto_em is not null group by 1
) d where not ${RESTORE_PENDING_SQL}`

export interface DueInstants {
  readonly now: Date
  /** People whose last window closed before it are offline. */
  readonly offlineBefore: Date
  /** Work that is left out: `<kind> <conta id>`. */
  readonly resting: readonly string[]
  /** Contas that are left out. */
  readonly skipped: readonly string[]
}

export interface DueList {
  /** Conta id → the kinds of its due work. */
  readonly contas: ReadonlyMap<string, ReadonlySet<DueKind>>
  /** There may be more. */
  readonly full: boolean
}

/** Reads the oldest due rows of all contas. Sent each second, so it must not be awaited before the COMMIT. */
export async function listDue(tx: Tx, { now, offlineBefore, resting, skipped }: DueInstants): Promise<DueList> {
  const values = [now.toISOString(), offlineBefore.toISOString(), textArray(resting), plainArray(skipped)]
  const { rows } = await tx.queryNamed('prazos-vencidos', DUE_SQL, values)
  const contas = new Map<string, Set<DueKind>>()
  let read = 0
  for (const row of rows) {
    const { conta_id: contaId, tipo, linhas } = dueSchema.parse(row)
    contas.set(contaId, (contas.get(contaId) ?? new Set()).add(tipo))
    read += linhas
  }
  return { contas, full: read >= ROUND_MAX }
}

/** Deletes the signals of the queue and a due opening. Signals written meanwhile stay. Returns whether there were any. */
export async function takeQueueSignals(tx: Tx, contaId: string, now: Date): Promise<boolean> {
  const { rows } = await tx.query(
    `with s as (delete from sinais where conta_id = $1 and contato_id is null returning 1),
       r as (update regras_atendimento set abre_em = null where conta_id = $1 and abre_em <= $2 returning 1)
     select from s union all select from r`,
    [contaId, now],
  )
  return rows.length > 0
}

/** Asks for a pass over the queue at the opening of the shop. Null: the shop does not open again. */
export async function setOpening(tx: Tx, contaId: string, at: Date | null): Promise<void> {
  await tx.query(
    'update regras_atendimento set abre_em = $2 where conta_id = $1 and abre_em is distinct from $2::timestamptz',
    [contaId, at],
  )
}

export async function takeContatoSignals(tx: Tx, contaId: string): Promise<string[]> {
  const { rows } = await tx.query<{ contato_id: string }>(
    'delete from sinais where conta_id = $1 and contato_id is not null returning contato_id',
    [contaId],
  )
  return [...new Set(rows.map(({ contato_id: id }) => id))]
}

/** Asks for a pass over the queues of these contas, if they have automatic work. */
export async function signalQueues(tx: Tx, contas: readonly string[]): Promise<void> {
  await tx.query(
    `insert into sinais (conta_id) select conta_id from regras_atendimento
     where conta_id = any ($1::uuid[]) and (automatica or sem_ninguem)`,
    [plainArray(contas)],
  )
}

const dueTimerSchema = z.object({
  conversa_id: z.string(),
  operador_id: z.nullable(z.string()),
  avisado_em: z.nullable(z.date()),
})
export type DueTimer = z.output<typeof dueTimerSchema>

interface TimerQuery {
  readonly tipo: 'resposta' | 'silencio'
  readonly now: Date
}

/** Conversas with a due timer, read without locks: their contatos must be locked first. */
export async function listDueTimers(tx: Tx, contaId: string, { tipo, now }: TimerQuery): Promise<string[]> {
  const { rows } = await tx.query<{ conversa_id: string }>(
    `select conversa_id from prazos where conta_id = $1 and tipo = $2 and vence_em <= $3 order by vence_em limit 50`,
    [contaId, tipo, now],
  )
  return rows.map(({ conversa_id: id }) => id)
}

/** Locks those of the timers that are still due and that no other node handles now. */
export function lockDueTimers(
  tx: Tx,
  contaId: string,
  { tipo, now, ids }: TimerQuery & { readonly ids: readonly string[] },
): Promise<DueTimer[]> {
  return tx.rows(
    dueTimerSchema,
    `select conversa_id, operador_id, avisado_em from prazos
     where conta_id = $1 and tipo = $2 and vence_em <= $3 and conversa_id = any ($4::uuid[])
     for update skip locked`,
    [contaId, tipo, now, plainArray(ids)],
  )
}

/** Seconds before each retry of a timer whose work failed. After the last one the timer ends. */
const RETRY_WAITS_S = [30, 60, 120, 240]

/** Counts a failed attempt of a timer and moves it, or deletes it after the last one. */
export async function postponeTimer(
  tx: Tx,
  contaId: string,
  {
    conversaId,
    tipo,
    now,
  }: { readonly conversaId: string; readonly tipo: 'resposta' | 'silencio'; readonly now: Date },
): Promise<void> {
  const { rows } = await tx.query<{ tentativas: number }>(
    `update prazos set tentativas = tentativas + 1,
       vence_em = $4::timestamptz + make_interval(secs => coalesce(($5::int[])[tentativas + 1], 0))
     where conta_id = $1 and conversa_id = $2 and tipo = $3 and vence_em <= $4 returning tentativas`,
    [contaId, conversaId, tipo, now, plainArray(RETRY_WAITS_S)],
  )
  if ((rows[0]?.tentativas ?? 0) > RETRY_WAITS_S.length) await deleteTimers(tx, contaId, tipo, [conversaId])
}

export async function deleteTimers(
  tx: Tx,
  contaId: string,
  tipo: 'resposta' | 'silencio',
  conversaIds: readonly string[],
): Promise<void> {
  await tx.query('delete from prazos where conta_id = $1 and tipo = $2 and conversa_id = any ($3::uuid[])', [
    contaId,
    tipo,
    plainArray(conversaIds),
  ])
}

/** Deletes the due timers of all contas: after the import of a backup their work may be days late. */
export async function deleteDueTimers(tx: Tx, now: Date): Promise<void> {
  await tx.query(`delete from prazos where tipo <> 'semNinguem' and vence_em <= $1`, [now])
}

interface SilenceTimer {
  readonly conversaId: string
  readonly until: Date
  readonly warnedAt: Date | null
}

export async function moveSilenceTimer(tx: Tx, contaId: string, timer: SilenceTimer): Promise<void> {
  await tx.query(
    `update prazos set vence_em = $3, avisado_em = $4 where conta_id = $1 and conversa_id = $2 and tipo = 'silencio'`,
    [contaId, timer.conversaId, timer.until, timer.warnedAt],
  )
}

/** Starts the timers of people who must write. A conversa has one person, so an older timer is replaced. */
export async function startReplyTimers(
  tx: Tx,
  contaId: string,
  until: Date,
  assigned: readonly { readonly conversaId: string; readonly personId: string }[],
): Promise<void> {
  await tx.query(
    `insert into prazos (conta_id, conversa_id, tipo, vence_em, operador_id)
     select $1, conversa_id, 'resposta', $2, operador_id from unnest($3::uuid[], $4::uuid[]) as i (conversa_id, operador_id)
     on conflict (conta_id, conversa_id, tipo) do update
     set vence_em = excluded.vence_em, operador_id = excluded.operador_id`,
    [
      contaId,
      until,
      plainArray(assigned.map(({ conversaId }) => conversaId)),
      plainArray(assigned.map(({ personId }) => personId)),
    ],
  )
}

/** Marks the notice of these conversas as sent. Returns those that had no mark. */
export async function markNoticed(tx: Tx, contaId: string, conversaIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ conversa_id: string }>(
    `insert into prazos (conta_id, conversa_id, tipo, vence_em)
     select $1, id, 'semNinguem', 'infinity' from unnest($2::uuid[]) as i (id)
     on conflict do nothing returning conversa_id`,
    [contaId, plainArray(conversaIds)],
  )
  return rows.map(({ conversa_id: id }) => id)
}

const START_SILENCE_SQL = `
insert into prazos (conta_id, conversa_id, tipo, vence_em)
select i.conta_id, i.conversa_id, 'silencio', i.em + make_interval(mins => r.aviso_minutos)
from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as i (conta_id, conversa_id, em)
join regras_atendimento r on r.conta_id = i.conta_id and r.aviso_minutos is not null
on conflict do nothing`

export interface PersonWrote {
  readonly contaId: string
  readonly conversaId: string
  readonly em: Date
}

/** Starts the silence of conversas in which the owner wrote on the phone. A running one stays. */
export async function startSilences(tx: Tx, wrote: readonly PersonWrote[]): Promise<void> {
  if (wrote.length === 0) return
  await tx.queryNamed('prazos-silencio', START_SILENCE_SQL, [
    plainArray(wrote.map(({ contaId }) => contaId)),
    plainArray(wrote.map(({ conversaId }) => conversaId)),
    plainArray(wrote.map(({ em }) => em.toISOString())),
  ])
}

/** Remembers that a person let these conversas go: they do not return to that person for now. */
export async function recordPasses(
  tx: Tx,
  contaId: string,
  { operadorId, now }: { readonly operadorId: string; readonly now: Date },
  conversaIds: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into passagens (conta_id, conversa_id, operador_id, em)
     select $1, id, $2, $3 from unnest($4::uuid[]) as i (id)
     on conflict (conta_id, conversa_id, operador_id) do update set em = excluded.em`,
    [contaId, operadorId, now, plainArray(conversaIds)],
  )
}
