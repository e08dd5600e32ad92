import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { mailQuotaMarks } from '#modules/emails/index.ts'
import { insertLog, startOfDay } from '#modules/logs/index.ts'
import { countQuota, findDay, type QuotaRow, remainingToday } from './day-use.ts'

export type LimiteDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'mailQueued' | 'realtime' | 'log'>

const LIMIT_REACHED_TEXT =
  'Limite diário de mensagens atingido. O bot volta a responder à meia-noite; para um limite maior, fale com o administrador.'

const findLimitLog = oneRow(
  'conversas: find log of daily limit',
  z.object({ id: z.string() }),
  sql`select l.id from logs l join contas k on k.id = l.conta_id
      where l.conta_id = ${contaId} and l.tipo = 'warning' and l.mensagem = ${value('text', 'text')}
        and l.timestamp >= ${value('day', 'date')}::timestamp at time zone k.fuso limit 1`,
)

/**
 * Writes at most one warning per day into the log of the conta. The counter's lock prevents two transactions from
 * both writing it.
 */
export async function recordLimitReached(tx: Tx, deps: LimiteDeps, contaId: string, day: string): Promise<void> {
  if ((await findLimitLog(tx, { contaId, day, text: LIMIT_REACHED_TEXT })) !== null) return
  await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: LIMIT_REACHED_TEXT })
}

export interface Quota {
  readonly fitting: number
  readonly refusal: AppError | null
}

/**
 * Counts messages of operadores, as many as still fit into the day. Keeps the counter locked until the transaction
 * ends. `refusal` is `limiteDiario` with `usado`, `limite` and `resetEm`, or null when all fit.
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
