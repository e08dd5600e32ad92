import * as z from 'zod/mini'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

const ROUND_MAX = 200

/**
 * `fila`: the queue of the conta changed. `saiu`: a person has no window. `no`: a node with windows died. `fonte`: a
 * source, perhaps of another conta too, waits for its reading or its vectors.
 */
const dueSchema = z.object({
  contaId: z.string(),
  tipo: z.enum([
    'fila',
    'resposta',
    'silencio',
    'agendada',
    'respondeu',
    'saiu',
    'no',
    'lembrete',
    'despedida',
    'resumo',
    'carrinho',
    'impressao',
    'transcricao',
    'fonte',
  ]),
  linhas: z.int(),
})
export type DueKind = z.output<typeof dueSchema>['tipo']

const now = value('now', 'timestamptz')
const offlineBefore = value('offlineBefore', 'timestamptz')
const skipped = value('skipped', 'uuid[]')
const max = rawSql(String(ROUND_MAX))

/** False for contas that are left out, and for work that rests: `<kind> <conta id>`. */
const awake = (tipo: string) => sql`conta_id <> all (${skipped})
  and ${rawSql(tipo)} || ' ' || conta_id <> all (${value('resting', 'text[]')})`

/**
 * PostgreSQL reads one index entry for each kind that has no due rows. After the import of a backup all work rests until
 * the decision: messages of the backup may have left before.
 */
const listDueRows = manyRows(
  'prazos-vencidos',
  dueSchema,
  sql`
select * from (
select conta_id, case when contato_id is null then 'fila' else 'respondeu' end as tipo, count(*)::int as linhas
from (
  select conta_id, contato_id from sinais
  where ${awake(`case when contato_id is null then 'fila' else 'respondeu' end`)} limit ${max}) s
group by 1, 2
union all
select conta_id, tipo, count(*)::int from (
  select conta_id, tipo from prazos where tipo <> 'semNinguem' and vence_em <= ${now} and ${awake('tipo')}
  order by vence_em limit ${max}) p
group by 1, 2
union all
select conta_id, 'agendada', count(*)::int from (
  select conta_id from agendadas where estado = 'marcada' and enviar_em <= ${now}
    and (tentar_em is null or tentar_em <= ${now}) and ${awake(`'agendada'`)}
  order by enviar_em limit ${max}) a
group by 1
union all
select conta_id, 'fila', count(*)::int from (
  select conta_id from regras_atendimento where abre_em <= ${now} and ${awake(`'fila'`)} order by abre_em limit ${max}) r
group by 1
union all
select conta_id, 'saiu', count(*)::int from (
  select conta_id from presencas where saiu_em <= ${offlineBefore} and ${awake(`'saiu'`)}
  order by saiu_em limit ${max}) o
group by 1
union all
select conta_id, 'lembrete', count(*)::int from (
  select conta_id from leituras where lembrar_em <= ${now} and ${awake(`'lembrete'`)} order by lembrar_em limit ${max}) l
group by 1
union all
select conta_id, 'despedida', count(*)::int from (
  select conta_id from despedidas where sair_em <= ${now} and ${awake(`'despedida'`)} order by sair_em limit ${max}) f
group by 1
union all
select conta_id, 'resumo', count(*)::int from (
  select conta_id from regras_atendimento where resumo_em <= ${now} and ${awake(`'resumo'`)} order by resumo_em limit ${max}) r
group by 1
union all
select conta_id, 'carrinho', count(*)::int from (
  select conta_id from carrinhos_parados where vence_em <= ${now} and ${awake(`'carrinho'`)} order by vence_em limit ${max}) c
group by 1
union all
select conta_id, 'impressao', count(*)::int from (
  select conta_id from impressoes where proxima_em <= ${now} and ${awake(`'impressao'`)} order by proxima_em limit ${max}) t
group by 1
union all
select conta_id, 'transcricao', count(*)::int from (
  select conta_id from transcricoes where proxima_em <= ${now} and ${awake(`'transcricao'`)} order by proxima_em limit ${max}) x
group by 1
union all
(select conta_id, 'fonte', 1 from fontes where ler_em <= ${now} and ${awake(`'fonte'`)} order by ler_em limit 1)
union all
(select conta_id, 'fonte', 1 from fontes
  where vetores_em <= ${now} and lida_em is not null and ${awake(`'fonte'`)} order by vetores_em limit 1)
union all
select p.conta_id, 'no', count(*)::int from nos n cross join lateral (
  select conta_id from presencas p where p.no = n.id and p.saiu_em is null and conta_id <> all (${skipped}) limit ${max}
) p where n.morto_em is not null group by 1
) d where not ${rawSql(RESTORE_PENDING_SQL)}`,
  { prepared: true, planner: 'indexes' },
)

export interface DueInstants {
  readonly now: Date
  /** People whose last window closed before it are offline. */
  readonly offlineBefore: Date
  /** Work that is left out: `<kind> <conta id>`. */
  readonly resting: readonly string[]
  readonly skipped: readonly string[]
}

export interface DueList {
  readonly contas: ReadonlyMap<string, ReadonlySet<DueKind>>
  readonly full: boolean
}

/** Reads the oldest due rows of all contas. Sent each second, so it must not be awaited before the COMMIT. */
export async function listDue(tx: Tx, instants: DueInstants): Promise<DueList> {
  const contas = new Map<string, Set<DueKind>>()
  let read = 0
  for (const { contaId, tipo, linhas } of await listDueRows(tx, instants)) {
    contas.set(contaId, (contas.get(contaId) ?? new Set()).add(tipo))
    read += linhas
  }
  return { contas, full: read >= ROUND_MAX }
}

/** Deletes the signals of the queue and a due opening, and returns one row for each. Signals written meanwhile stay. */
export const takeQueueSignals = manyRows(
  'prazos: take queue signals',
  z.object({ tomado: z.int() }),
  sql`with s as (delete from sinais where conta_id = ${contaId} and contato_id is null returning 1 as tomado),
    r as (update regras_atendimento set abre_em = null where conta_id = ${contaId} and abre_em <= ${now} returning 1 as tomado)
  select tomado from s union all select tomado from r`,
)

/** Asks for a pass over the queue at the opening of the shop. Null: the shop does not open again. */
export const setOpening = noRows(
  'prazos: set opening',
  sql`update regras_atendimento set abre_em = ${value('at', 'timestamptz?')}
    where conta_id = ${contaId} and abre_em is distinct from ${value('at', 'timestamptz?')}`,
)

const deleteContatoSignals = manyRows(
  'prazos: take contato signals',
  z.object({ contatoId: z.string() }),
  sql`delete from sinais where conta_id = ${contaId} and contato_id is not null returning contato_id`,
)

export async function takeContatoSignals(tx: Tx, contaId: string): Promise<string[]> {
  return [...new Set((await deleteContatoSignals(tx, { contaId })).map(({ contatoId }) => contatoId))]
}

export const signalQueues = noRows(
  'prazos: signal queues',
  sql`insert into sinais (conta_id) select conta_id from regras_atendimento
    where conta_id = any (${value('contas', 'uuid[]')}) and (automatica or sem_ninguem)`,
)

const tipo = value('tipo', 'text')
const conversaId = value('conversaId', 'uuid')
const conversaIds = value('conversaIds', 'uuid[]')

/** Conversas with a due timer, read without locks: their contatos must be locked first. */
export const listDueTimers = manyRows(
  'prazos: list due timers',
  z.object({ conversaId: z.string() }),
  sql`select conversa_id from prazos where conta_id = ${contaId} and tipo = ${tipo} and vence_em <= ${now}
    order by vence_em limit 50`,
)

const dueTimerSchema = z.object({
  conversaId: z.string(),
  operadorId: z.nullable(z.string()),
  avisadoEm: z.nullable(z.date()),
})
export type DueTimer = z.output<typeof dueTimerSchema>

/** Locks those of the timers that are still due and that no other node handles now. */
export const lockDueTimers = manyRows(
  'prazos: lock due timers',
  dueTimerSchema,
  sql`select conversa_id, operador_id, avisado_em from prazos
    where conta_id = ${contaId} and tipo = ${tipo} and vence_em <= ${now} and conversa_id = any (${conversaIds})
    for update skip locked`,
)

/** Seconds before each retry of a timer whose work failed. After the last one the timer ends. */
const RETRY_WAITS_S = [30, 60, 120, 240]

const delayTimer = oneRow(
  'prazos: delay timer',
  z.object({ tentativas: z.int() }),
  sql`update prazos set tentativas = tentativas + 1,
      vence_em = ${now} + make_interval(secs => coalesce((${value('waits', 'int[]')})[tentativas + 1], 0))
    where conta_id = ${contaId} and conversa_id = ${conversaId} and tipo = ${tipo} and vence_em <= ${now}
    returning tentativas`,
)

interface FailedTimer {
  readonly contaId: string
  readonly conversaId: string
  readonly tipo: 'resposta' | 'silencio'
  readonly now: Date
}

export async function postponeTimer(tx: Tx, timer: FailedTimer): Promise<void> {
  const moved = await delayTimer(tx, { ...timer, waits: RETRY_WAITS_S })
  if ((moved?.tentativas ?? 0) > RETRY_WAITS_S.length)
    await deleteTimers(tx, { ...timer, conversaIds: [timer.conversaId] })
}

export const deleteTimers = noRows(
  'prazos: delete timers',
  sql`delete from prazos where conta_id = ${contaId} and tipo = ${tipo} and conversa_id = any (${conversaIds})`,
)

/** Deletes the due timers of all contas: after the import of a backup their work may be days late. */
export const deleteDueTimers = noRows(
  'prazos: delete due timers',
  sql`delete from prazos where tipo <> 'semNinguem' and vence_em <= ${now}`,
)

export const moveSilenceTimer = noRows(
  'prazos: move silence timer',
  sql`update prazos set vence_em = ${value('until', 'timestamptz')}, avisado_em = ${value('warnedAt', 'timestamptz?')}
    where conta_id = ${contaId} and conversa_id = ${conversaId} and tipo = 'silencio'`,
)

/** Starts the timers of people who must write. A conversa has one person, so an older timer is replaced. */
export const startReplyTimers = noRows(
  'prazos: start reply timers',
  sql`insert into prazos (conta_id, conversa_id, tipo, vence_em, operador_id)
    select ${contaId}, conversa_id, 'resposta', ${value('until', 'timestamptz')}, person_id
    from ${columns('assigned', { conversaId: 'uuid', personId: 'uuid' })}
    on conflict (conta_id, conversa_id, tipo) do update
    set vence_em = excluded.vence_em, operador_id = excluded.operador_id`,
)

const insertNotices = manyRows(
  'prazos: mark noticed',
  z.object({ conversaId: z.string() }),
  sql`insert into prazos (conta_id, conversa_id, tipo, vence_em)
    select ${contaId}, id, 'semNinguem', 'infinity' from unnest(${conversaIds}) as i (id)
    on conflict do nothing returning conversa_id`,
)

export async function markNoticed(tx: Tx, contaId: string, conversaIds: readonly string[]): Promise<string[]> {
  return (await insertNotices(tx, { contaId, conversaIds })).map(({ conversaId }) => conversaId)
}

const insertSilences = noRows(
  'prazos-silencio',
  sql`insert into prazos (conta_id, conversa_id, tipo, vence_em)
    select i.conta_id, i.conversa_id, 'silencio', i.em + make_interval(mins => r.aviso_minutos)
    from ${columns('i', { contaId: 'uuid', conversaId: 'uuid', em: 'timestamptz' })}
    join regras_atendimento r on r.conta_id = i.conta_id and r.aviso_minutos is not null
    on conflict do nothing`,
  { prepared: true },
)

export interface PersonWrote {
  readonly contaId: string
  readonly conversaId: string
  readonly em: Date
}

export async function startSilences(tx: Tx, wrote: readonly PersonWrote[]): Promise<void> {
  if (wrote.length > 0) await insertSilences(tx, { i: wrote })
}

export const recordPasses = noRows(
  'prazos: record passes',
  sql`insert into passagens (conta_id, conversa_id, operador_id, em)
    select ${contaId}, id, ${value('operadorId', 'uuid')}, ${now} from unnest(${conversaIds}) as i (id)
    on conflict (conta_id, conversa_id, operador_id) do update set em = excluded.em`,
)

/** Takes back the last pass of a person on a conversa. `earlier`: the pass before it. */
export const undoPass = noRows(
  'prazos: undo pass',
  sql`with d as (
      delete from passagens where conta_id = ${contaId} and conversa_id = ${conversaId}
        and operador_id = ${value('operadorId', 'uuid')} and ${value('earlier', 'timestamptz?')} is null)
    update passagens set em = ${value('earlier', 'timestamptz?')}
    where conta_id = ${contaId} and conversa_id = ${conversaId} and operador_id = ${value('operadorId', 'uuid')}
      and ${value('earlier', 'timestamptz?')} is not null`,
)
