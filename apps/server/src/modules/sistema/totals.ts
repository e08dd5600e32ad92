import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { PeriodicTask } from '#lib/every.ts'

const SUM_MS = 30_000
const FILES_MS = 3_600_000
/** Local days end at most 14 hours after those of UTC, so the counters of the day before yesterday do not change. */
const OPEN_DAYS = 2
/** The first start of an old installation sums all its days. */
const DAYS_PER_ROUND = 100
const CONTAS_PER_STATEMENT = 200

export interface TotalsJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/**
 * Adds finished days to `totais` and counts the stored files. The leader also shows the gauges of the database. It reads
 * the sums here, because they need a row of each conta for two or three days: too many for each scrape.
 */
export function totalsJob(deps: Pick<Deps, 'db' | 'leader' | 'log' | 'metrics'>): TotalsJob {
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'totals not updated')
  let tasks: readonly PeriodicTask[] = []
  let totals: Readonly<Record<string, number>> = {}
  const sum = async (): Promise<void> => {
    // Before the sums, which may fail: the other gauges do not depend on them.
    deps.metrics.leadsDatabase(3 * SUM_MS, totals)
    await addFinishedDays(deps)
    totals = await readTotals(deps)
    deps.metrics.leadsDatabase(3 * SUM_MS, totals)
  }
  return {
    start: () => {
      if (tasks.length > 0) return
      tasks = [
        deps.leader.every({ name: 'totais', ms: SUM_MS, firstMs: 0, task: sum, failed }),
        deps.leader.every({ name: 'arquivos', ms: FILES_MS, task: () => countFiles(deps), failed }),
      ]
    },
    stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  }
}

const daySchema = z.object({ dia: z.nullable(z.string()) })

/** Each day in its own transaction. The lock of the row keeps two nodes from adding the same day. */
async function addFinishedDays({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.transaction([], (tx) => tx.query('insert into totais default values on conflict do nothing'))
  for (let days = 0; days < DAYS_PER_ROUND; days += 1) {
    const added = await db.transaction('*', async (tx) => {
      const [next] = await tx.rows(
        daySchema,
        `with t as (select ate from totais for update)
         select least((select min(dia) from uso_diario where dia > (select ate from t)),
                      (select min(dia) from uso_ia where dia > (select ate from t))) as dia`,
      )
      const day = next?.dia ?? null
      return day !== null && addDay(tx, day)
    })
    if (!added) return
  }
}

/** False: the day is not over everywhere. */
async function addDay(tx: Tx, day: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update totais set ate = $1::date, enviadas = totais.enviadas + u.enviadas, recebidas = totais.recebidas + u.recebidas,
       perguntas = totais.perguntas + i.perguntas, falhas = totais.falhas + i.falhas, tokens = totais.tokens + i.tokens
     from (select coalesce(sum(total), 0) as enviadas, coalesce(sum(recebidas), 0) as recebidas
             from uso_diario where dia = $1::date) u,
          (select coalesce(sum(perguntas), 0) as perguntas, coalesce(sum(falhas), 0) as falhas,
                  coalesce(sum(tokens_entrada + tokens_saida), 0) as tokens from uso_ia where dia = $1::date) i
     where $1::date <= current_date - ${OPEN_DAYS}`,
    [day],
  )
  return rowCount === 1
}

/** Adds the days that `totais` does not contain yet. Reads each of their rows once. */
const TOTALS_SQL = `
select t.enviadas + d.enviadas as balcao_mensagens_enviadas, t.recebidas + d.recebidas as balcao_mensagens_recebidas,
  t.perguntas + i.perguntas as balcao_ia_perguntas, t.falhas + i.falhas as balcao_ia_falhas,
  t.tokens + i.tokens as balcao_ia_tokens
from totais t
cross join lateral (select coalesce(sum(total), 0) as enviadas, coalesce(sum(recebidas), 0) as recebidas
  from uso_diario where dia > t.ate) d
cross join lateral (select coalesce(sum(perguntas), 0) as perguntas, coalesce(sum(falhas), 0) as falhas,
  coalesce(sum(tokens_entrada + tokens_saida), 0) as tokens from uso_ia where dia > t.ate) i`
const totalsSchema = z.record(z.string(), z.coerce.number())

async function readTotals({ db }: Pick<Deps, 'db'>): Promise<Readonly<Record<string, number>>> {
  const [totals] = await db.once('*', (tx) => tx.rows(totalsSchema, TOTALS_SQL))
  return totals ?? {}
}

const fileSumSchema = z.object({ arquivos: z.number(), bytes: z.number() })

/** Sums some contas with each statement, because one over all files would reach its timeout. */
async function countFiles({ db }: Pick<Deps, 'db'>): Promise<void> {
  const contas = await db.read('*', (tx) => tx.rows(z.object({ id: z.string() }), 'select id from contas order by id'))
  const total = { arquivos: 0, bytes: 0 }
  for (let from = 0; from < contas.length; from += CONTAS_PER_STATEMENT) {
    const ids = contas.slice(from, from + CONTAS_PER_STATEMENT).map(({ id }) => id)
    const [part] = await db.read('*', (tx) =>
      tx.rows(
        fileSumSchema,
        `select count(*) as arquivos, coalesce(sum(tamanho), 0) as bytes from arquivos where conta_id = any ($1::uuid[])`,
        [ids],
      ),
    )
    total.arquivos += part?.arquivos ?? 0
    total.bytes += part?.bytes ?? 0
  }
  await db.transaction([], (tx) =>
    tx.query(
      `insert into totais (arquivos, arquivos_bytes) values ($1, $2)
       on conflict (unica) do update set arquivos = excluded.arquivos, arquivos_bytes = excluded.arquivos_bytes`,
      [total.arquivos, total.bytes],
    ),
  )
}
