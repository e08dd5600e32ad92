import * as z from 'zod/mini'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { inOrder, manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { mailDailyLimit } from '#modules/emails/index.ts'
import { startOfDay, insertLog } from '#modules/logs/index.ts'

export type LimiteDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'mailQueued' | 'realtime' | 'log'>

const LIMIT_REACHED_TEXT =
  'Limite diário de mensagens atingido. O bot volta a responder à meia-noite; para um limite maior, fale com o administrador.'

const day = value('day', 'date')
const now = value('now', 'timestamptz')

const ensureDay = noRows(
  'uso-garantir',
  sql`insert into uso_diario (conta_id, dia) values (${contaId}, ${day}) on conflict do nothing`,
  { prepared: true },
)

const lockDay = oneRow(
  'uso-travar',
  z.object({ usadas: z.int(), limite: z.int(), semLimite: z.boolean() }),
  sql`
select u.usadas, k.limite_mensagens_dia as limite, k.sem_limite from uso_diario u join contas k on k.id = u.conta_id
where u.conta_id = ${contaId} and u.dia = ${day} for update of u`,
  { prepared: true },
)

/** Returns how many messages the conta may still send this day. Keeps the counter locked until the transaction ends. */
export async function remainingToday(tx: Tx, contaId: string, day: string): Promise<number> {
  // Sent together. The second statement runs after the first and finds its row.
  const [, uso] = await inOrder([ensureDay(tx, { contaId, day }), lockDay(tx, { contaId, day })])
  if (uso === null) return 0
  return uso.semLimite ? Infinity : Math.max(0, uso.limite - uso.usadas)
}

const findLimitLog = oneRow(
  'conversas: find log of daily limit',
  z.object({ id: z.string() }),
  sql`select l.id from logs l join contas k on k.id = l.conta_id
      where l.conta_id = ${contaId} and l.tipo = 'warning' and l.mensagem = ${value('text', 'text')}
        and l.timestamp >= ${day}::timestamp at time zone k.fuso limit 1`,
)

/**
 * Writes at most one warning per day into the log of the conta. The counter's lock prevents two transactions from
 * both writing it.
 */
export async function recordLimitReached(tx: Tx, deps: LimiteDeps, contaId: string, day: string): Promise<void> {
  if ((await findLimitLog(tx, { contaId, day, text: LIMIT_REACHED_TEXT })) !== null) return
  await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: LIMIT_REACHED_TEXT })
}

const count = value('count', 'int')

/**
 * CTE `u`: adds `count` messages at `now` to the counter of the conta under its lock. Returns no row when not all of
 * them fit or `count` is 0.
 */
export const quotaCte = sql`u as (
  insert into uso_diario as u (conta_id, dia, usadas, total)
  select id, (${now} at time zone fuso)::date, ${count}, ${count} from contas
  where id = ${contaId} and ${count} > 0 and (sem_limite or ${count} <= limite_mensagens_dia)
  on conflict (conta_id, dia) do update set usadas = u.usadas + ${count}, total = u.total + ${count}
  where exists (
    select 1 from contas k where k.id = u.conta_id and (k.sem_limite or u.usadas + ${count} <= k.limite_mensagens_dia))
  returning usadas
)`

export const quotaSelect = sql`
select k.fuso, (${now} at time zone k.fuso)::date::text as dia, k.limite_mensagens_dia as limite, k.sem_limite,
  (select usadas from u) as usadas
from contas k where k.id = ${contaId}`

export const quotaRowSchema = z.object({
  fuso: z.string(),
  dia: z.string(),
  limite: z.int(),
  semLimite: z.boolean(),
  /** Including these messages; null when they were not counted. */
  usadas: z.nullable(z.int()),
})
export type QuotaRow = z.output<typeof quotaRowSchema>

const countQuota = oneRow('limite-contar', quotaRowSchema, sql`with ${quotaCte} ${quotaSelect}`, { prepared: true })

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
  const conta = await countQuota(tx, { contaId, now, count })
  if (conta === null) throw new Error('conta not found')
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
  { contaId, count, row: { dia, limite, usadas, semLimite } }: CountedQuota,
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

const findDay = oneRow(
  'conversas: find day of counter',
  z.object({ usadas: z.int() }),
  sql`select usadas from uso_diario where conta_id = ${contaId} and dia = ${day}`,
)

async function limitRefusal(tx: Tx, { contaId, day, limite, now, timeZone }: LimitState): Promise<AppError> {
  const uso = await findDay(tx, { contaId, day })
  const today = startOfDay(now, timeZone)
  // 36 hours after midnight falls into tomorrow even when the clocks change.
  const resetEm = startOfDay(new Date(today.getTime() + 36 * 3_600_000), timeZone)
  const tentarEmS = Math.ceil((resetEm.getTime() - now.getTime()) / 1_000)
  return new AppError('limiteDiario', {
    usado: uso?.usadas ?? limite,
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

const listMissedMarks = manyRows(
  'conversas: list missed marks of limit',
  z.object({
    contaId: z.string(),
    dia: z.string(),
    limite: z.int(),
    percentual: z.literal([80, 100]),
  }),
  sql`select u.conta_id, u.dia::text as dia, k.limite_mensagens_dia as limite, p.percentual
      from contas k
      join uso_diario u on u.conta_id = k.id and u.dia = (${now} at time zone k.fuso)::date
      cross join (values (80), (100)) as p (percentual)
      where not k.sem_limite and u.usadas > 0 and u.usadas >= ceil(k.limite_mensagens_dia * p.percentual / 100.0)
        and not exists (
          select 1 from emails e where e.chave = format('limite%s:%s:%s', p.percentual, u.conta_id, u.dia))`,
)

/** Queues missing e-mails of today: a process may end between the commit and its e-mail. */
export async function mailMissedQuotaMarks(deps: LimiteDeps): Promise<void> {
  const marks = await deps.db.transaction('*', (tx) => listMissedMarks(tx, { now: deps.clock.now() }))
  for (const { contaId, ...aviso } of marks) {
    await deps.db.transaction(contaId, (tx) => mailDailyLimit(tx, deps, contaId, aviso))
  }
}

/** Sets today's counter to 0. The monthly total stays. */
export const resetDayUse = noRows(
  'conversas: reset day of counter',
  sql`update uso_diario d set usadas = 0 from contas c
      where c.id = ${contaId} and d.conta_id = c.id and d.dia = (${now} at time zone c.fuso)::date`,
)

/** Days are kept for 13 months, so that a year can be compared with the one before. */
const DAYS_KEPT = '13 months'

/** Adds one day older than 13 months to the first day of its month, for all contas. Returns how many rows it moved. */
export const sumOldDay = noRows(
  'conversas: sum old day of counters',
  sql`
with velho as (
  select min(dia) as dia from uso_diario
  where dia < date_trunc('month', current_date - interval '${rawSql(DAYS_KEPT)}')::date and dia > date_trunc('month', dia)::date
), movidos as (
  delete from uso_diario where dia = (select dia from velho) returning conta_id, dia, total, recebidas
)
insert into uso_diario as u (conta_id, dia, total, recebidas)
select conta_id, date_trunc('month', dia)::date, total, recebidas from movidos
on conflict (conta_id, dia) do update
  set total = u.total + excluded.total, recebidas = u.recebidas + excluded.recebidas`,
)
