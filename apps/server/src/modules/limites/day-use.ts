import * as z from 'zod/mini'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { inOrder, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

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

export const countQuota = oneRow('limite-contar', quotaRowSchema, sql`with ${quotaCte} ${quotaSelect}`, {
  prepared: true,
})

export const findDay = oneRow(
  'conversas: find day of counter',
  z.object({ usadas: z.int() }),
  sql`select usadas from uso_diario where conta_id = ${contaId} and dia = ${day}`,
)

export const resetDayUse = noRows(
  'conversas: reset day of counter',
  sql`update uso_diario d set usadas = 0 from contas c
      where c.id = ${contaId} and d.conta_id = c.id and d.dia = (${now} at time zone c.fuso)::date`,
)

/** Days are kept for 13 months, so that a year can be compared with the one before. */
const DAYS_KEPT = '13 months'

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
