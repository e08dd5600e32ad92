import * as z from 'zod/mini'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { mailDailyLimit } from '#modules/emails/index.ts'
import { startOfDay, insertLog } from '#modules/logs/index.ts'

export type LimiteDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'mailQueued' | 'realtime' | 'log'>

const LIMIT_REACHED_TEXT =
  'Limite diário de mensagens atingido. O bot volta a responder à meia-noite; para um limite maior, fale com o administrador.'

const ENSURE_DAY_SQL = 'insert into uso_diario (conta_id, dia) values ($1, $2) on conflict do nothing'
const LOCK_DAY_SQL = `
select u.usadas, k.limite_mensagens_dia as limite, k.sem_limite from uso_diario u join contas k on k.id = u.conta_id
where u.conta_id = $1 and u.dia = $2 for update of u`

/** Returns how many messages the conta may still send this day. Keeps the counter locked until the transaction ends. */
export async function remainingToday(tx: Tx, contaId: string, day: string): Promise<number> {
  // Sent together. The second statement runs after the first and finds its row.
  const [, { rows }] = await Promise.all([
    tx.queryNamed('uso-garantir', ENSURE_DAY_SQL, [contaId, day]),
    tx.queryNamed<{ usadas: number; limite: number; sem_limite: boolean }>('uso-travar', LOCK_DAY_SQL, [contaId, day]),
  ])
  const [uso] = rows
  if (uso === undefined) return 0
  return uso.sem_limite ? Infinity : Math.max(0, uso.limite - uso.usadas)
}

/**
 * Writes at most one warning per day into the log of the conta. The counter's lock prevents two transactions from
 * both writing it.
 */
export async function recordLimitReached(tx: Tx, deps: LimiteDeps, contaId: string, day: string): Promise<void> {
  const { rows } = await tx.query(
    `select 1 from logs l join contas k on k.id = l.conta_id
     where l.conta_id = $1 and l.tipo = 'warning' and l.mensagem = $2
       and l.timestamp >= $3::date::timestamp at time zone k.fuso limit 1`,
    [contaId, LIMIT_REACHED_TEXT, day],
  )
  if (rows.length === 0) await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: LIMIT_REACHED_TEXT })
}

/**
 * CTE `u`: adds $3 messages at $2 to the counter of conta $1 under its lock. Returns no row when not all of them
 * fit or $3 is 0.
 */
export const QUOTA_CTE = `u as (
  insert into uso_diario as u (conta_id, dia, usadas, total)
  select id, ($2::timestamptz at time zone fuso)::date, $3::int, $3::int from contas
  where id = $1 and $3::int > 0 and (sem_limite or $3::int <= limite_mensagens_dia)
  on conflict (conta_id, dia) do update set usadas = u.usadas + $3::int, total = u.total + $3::int
  where exists (
    select 1 from contas k where k.id = u.conta_id and (k.sem_limite or u.usadas + $3::int <= k.limite_mensagens_dia))
  returning usadas
)`

export const QUOTA_SELECT = `
select k.fuso, ($2::timestamptz at time zone k.fuso)::date::text as dia, k.limite_mensagens_dia as limite, k.sem_limite,
  (select usadas from u) as usadas
from contas k where k.id = $1`

const QUOTA_SQL = `with ${QUOTA_CTE} ${QUOTA_SELECT}`

export interface QuotaRow {
  readonly fuso: string
  readonly dia: string
  readonly limite: number
  readonly sem_limite: boolean
  /** Including these messages; null when they were not counted. */
  readonly usadas: number | null
}

export interface Quota {
  readonly fitting: number
  readonly refusal: AppError | null
}

/**
 * Counts messages of operadores, as many as still fit into the day. Keeps the counter locked until the transaction
 * ends. `recusa` is `limiteDiario` with `usado`, `limite` and `resetEm`, or null when all fit.
 */
export async function reserveQuota(tx: Tx, deps: LimiteDeps, contaId: string, count: number): Promise<Quota> {
  if (count === 0) return { fitting: 0, refusal: null }
  const now = deps.clock.now()
  const values = [contaId, now.toISOString(), count]
  const { rows } = await tx.queryNamed<QuotaRow & Record<string, unknown>>('limite-contar', QUOTA_SQL, values)
  const [conta] = rows
  if (conta === undefined) throw new Error('conta not found')
  if (!(await recordQuota(tx, deps, { contaId, count, row: conta }))) {
    const { dia, limite, fuso } = conta
    const slots = count === 1 ? 0 : await remainingToday(tx, contaId, dia)
    const { fitting } = await reserveQuota(tx, deps, contaId, Math.min(slots, count))
    return { fitting, refusal: await limitRefusal(tx, { contaId, day: dia, limite, now, timeZone: fuso }) }
  }
  return { fitting: count, refusal: null }
}

interface CountedQuota {
  readonly contaId: string
  readonly count: number
  readonly row: QuotaRow
}

/**
 * Writes the log line and queues the e-mails of the daily limit. Returns false and does nothing when the messages
 * were not counted.
 */
export async function recordQuota(
  tx: Tx,
  deps: LimiteDeps,
  { contaId, count, row: { dia, limite, usadas, sem_limite: semLimite } }: CountedQuota,
): Promise<boolean> {
  if (usadas === null) return false
  if (!semLimite && usadas === limite) await recordLimitReached(tx, deps, contaId, dia)
  const uso = { contaId, dia, enviadas: count, usadas, limite: semLimite ? null : limite }
  tx.afterCommit(() => {
    mailQuotaMarks(deps, [uso]).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'daily-limit e-mail not queued'),
    )
  })
  return true
}

/** Counts one message. Throws `limiteDiario`. */
export async function reserveOneMensagem(tx: Tx, deps: LimiteDeps, contaId: string): Promise<void> {
  const { refusal: error } = await reserveQuota(tx, deps, contaId, 1)
  if (error !== null) throw error
}

interface LimitState {
  readonly contaId: string
  readonly day: string
  readonly limite: number
  readonly now: Date
  readonly timeZone: string
}

async function limitRefusal(tx: Tx, { contaId, day, limite, now, timeZone }: LimitState): Promise<AppError> {
  const { rows } = await tx.query<{ usadas: number }>(
    'select usadas from uso_diario where conta_id = $1 and dia = $2',
    [contaId, day],
  )
  const today = startOfDay(now, timeZone)
  // 36 hours after midnight falls into tomorrow even when the clocks change.
  const resetEm = startOfDay(new Date(today.getTime() + 36 * 3_600_000), timeZone)
  const tentarEmS = Math.ceil((resetEm.getTime() - now.getTime()) / 1_000)
  return new AppError('limiteDiario', {
    usado: rows[0]?.usadas ?? limite,
    limite,
    resetEm: resetEm.toISOString(),
    tentarEmS,
  })
}

export interface DayUse {
  readonly contaId: string
  readonly dia: string
  readonly enviadas: number
  readonly usadas: number
  /** Null for contas without a limit. */
  readonly limite: number | null
}

const QUOTA_MARKS = [80, 100] as const

function crossedMarks({ limite, usadas, enviadas }: DayUse): (80 | 100)[] {
  if (limite === null || enviadas === 0) return []
  return QUOTA_MARKS.filter((percent) => {
    const mark = Math.ceil((limite * percent) / 100)
    return usadas >= mark && usadas - enviadas < mark
  })
}

/** Queues the e-mail to the owner after the commit that crossed a threshold. */
export async function mailQuotaMarks(deps: LimiteDeps, uses: readonly DayUse[]): Promise<void> {
  for (const uso of uses) {
    const { contaId, dia, limite } = uso
    for (const percentual of crossedMarks(uso)) {
      await deps.db.transaction(contaId, (tx) =>
        mailDailyLimit(tx, deps, contaId, { percentual, limite: limite ?? 0, dia }),
      )
    }
  }
}

const quotaMarkSchema = z.object({
  conta_id: z.string(),
  dia: z.string(),
  limite: z.number(),
  percentual: z.union([z.literal(80), z.literal(100)]),
})

/** Queues missing e-mails of today: a process may end between the commit and its e-mail. */
export async function mailMissedQuotaMarks(deps: LimiteDeps): Promise<void> {
  const marks = await deps.db.transaction('*', (tx) =>
    tx.rows(
      quotaMarkSchema,
      `select u.conta_id, u.dia::text as dia, k.limite_mensagens_dia as limite, p.percentual
       from contas k
       join uso_diario u on u.conta_id = k.id and u.dia = ($1::timestamptz at time zone k.fuso)::date
       cross join (values (80), (100)) as p (percentual)
       where not k.sem_limite and u.usadas > 0 and u.usadas >= ceil(k.limite_mensagens_dia * p.percentual / 100.0)
         and not exists (
           select 1 from emails e where e.chave = format('limite%s:%s:%s', p.percentual, u.conta_id, u.dia))`,
      [deps.clock.now()],
    ),
  )
  for (const { conta_id: contaId, ...aviso } of marks) {
    await deps.db.transaction(contaId, (tx) => mailDailyLimit(tx, deps, contaId, aviso))
  }
}

/** Sets today's counter to 0. The monthly total stays. */
export async function resetDayUse(tx: Tx, contaId: string, now: Date): Promise<void> {
  await tx.query(
    `update uso_diario d set usadas = 0 from contas c
      where c.id = $1 and d.conta_id = c.id and d.dia = ($2::timestamptz at time zone c.fuso)::date`,
    [contaId, now],
  )
}

/** Days are kept for 13 months, so that a year can be compared with the one before. */
const DAYS_KEPT = '13 months'

/** Adds one day older than 13 months to the first day of its month, for all contas. Returns how many rows it moved. */
export async function sumOldDay(tx: Tx): Promise<number> {
  const { rowCount } = await tx.query(
    `with velho as (
       select min(dia) as dia from uso_diario
        where dia < date_trunc('month', current_date - interval '${DAYS_KEPT}')::date and dia > date_trunc('month', dia)::date
     ), movidos as (
       delete from uso_diario where dia = (select dia from velho) returning conta_id, dia, total, recebidas
     )
     insert into uso_diario as u (conta_id, dia, total, recebidas)
     select conta_id, date_trunc('month', dia)::date, total, recebidas from movidos
     on conflict (conta_id, dia) do update
       set total = u.total + excluded.total, recebidas = u.recebidas + excluded.recebidas`,
  )
  return rowCount ?? 0
}

const NEXT_PROTOCOLOS_SQL = `
insert into protocolos as p (conta_id, dia, ultimo)
select i.conta_id, i.dia, count(*) from unnest($1::uuid[], $2::date[]) as i (conta_id, dia)
group by i.conta_id, i.dia order by i.conta_id, i.dia
on conflict (conta_id, dia) do update set ultimo = p.ultimo + excluded.ultimo
returning p.conta_id, p.dia::text as dia, p.ultimo`

interface ProtocoloRequest {
  readonly contaId: string
  /** `AAAA-MM-DD`. */
  readonly day: string
}

interface LastProtocolo {
  readonly conta_id: string
  readonly dia: string
  readonly ultimo: number
}

/** Counts the requests. Returns the last number of each conta and day. */
async function takeLast(tx: Tx, requests: readonly ProtocoloRequest[]): Promise<readonly LastProtocolo[]> {
  // The COMMIT that uses a number comes later and also flushes this one.
  const prepared = tx.query('set local synchronous_commit = off')
  const taken = tx.queryNamed<LastProtocolo & Record<string, unknown>>('protocolos-proximos', NEXT_PROTOCOLOS_SQL, [
    plainArray(requests.map(({ contaId }) => contaId)),
    plainArray(requests.map(({ day }) => day)),
  ])
  const [{ rows }] = await Promise.all([taken, prepared])
  return rows
}

/**
 * Gives each request a number `AAAAMMDD-NNNN`, in order. Runs in a separate transaction: the counter is shared by the
 * whole conta and would stay locked until the caller's COMMIT. A rollback of the caller leaves a gap. On the caller's
 * pool, callers that hold all its connections would wait for each other.
 */
export async function takeProtocolos<T extends ProtocoloRequest>(
  { reservedDb }: Pick<Deps, 'reservedDb'>,
  requests: readonly T[],
): Promise<(T & { readonly protocolo: string })[]> {
  const contas = [...new Set(requests.map(({ contaId }) => contaId))]
  const last = await reservedDb.once(contas, (tx) => takeLast(tx, requests))
  const left = new Map(last.map(({ conta_id: contaId, dia, ultimo }) => [`${contaId} ${dia}`, ultimo]))
  // The counter holds the last number of the group, so the numbers are given from the end.
  const numbered = requests.toReversed().map((request) => {
    const key = `${request.contaId} ${request.day}`
    const number = left.get(key) ?? 1
    left.set(key, number - 1)
    return { ...request, protocolo: `${request.day.replaceAll('-', '')}-${String(number).padStart(4, '0')}` }
  })
  return numbered.toReversed()
}
