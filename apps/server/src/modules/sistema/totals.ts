import * as z from 'zod/mini'
import { rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { createJob, type Job } from '#lib/every.ts'

const SUM_MS = 30_000
const FILES_MS = 3_600_000
/** Local days end at most 14 hours after those of UTC, so the counters of the day before yesterday do not change. */
const OPEN_DAYS = 2
/** The first start of an old installation sums all its days. */
const DAYS_PER_ROUND = 100
const CONTAS_PER_STATEMENT = 200

/**
 * Adds finished days to `totais` and counts the stored files. The leader also shows the gauges of the database. It reads
 * the sums here, because they need a row of each conta for two or three days: too many for each scrape.
 */
export function totalsJob(deps: Pick<Deps, 'db' | 'leader' | 'log' | 'metrics'>): Job {
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'totals not updated')
  let totals: Readonly<Record<string, number>> = {}
  const sum = async (): Promise<void> => {
    // Before the sums, which may fail: the other gauges do not depend on them.
    deps.metrics.leadsDatabase(3 * SUM_MS, totals)
    await addFinishedDays(deps)
    totals = await readTotals(deps)
    deps.metrics.leadsDatabase(3 * SUM_MS, totals)
  }
  return createJob(() => [
    deps.leader.every({ name: 'totais', ms: SUM_MS, firstMs: 0, task: sum, failed }),
    deps.leader.every({ name: 'arquivos', ms: FILES_MS, task: () => countFiles(deps), failed }),
  ])
}

const ensureTotals = noRows('sistema: ensure totals', sql`insert into totais default values on conflict do nothing`)

/** The next day that `totais` does not contain, or null. The lock of the row keeps two nodes from adding the same day. */
const lockNextDay = oneValue(
  'sistema: lock next day',
  z.nullable(z.string()),
  sql`with t as (select ate from totais for update)
      select least((select min(dia) from uso_diario where dia > (select ate from t)),
                   (select min(dia) from uso_ia where dia > (select ate from t))) as value`,
)

const dia = value('dia', 'date')

const addDay = noRows(
  'sistema: add day',
  sql`update totais set ate = ${dia}, enviadas = totais.enviadas + u.enviadas, recebidas = totais.recebidas + u.recebidas,
        perguntas = totais.perguntas + i.perguntas, falhas = totais.falhas + i.falhas, tokens = totais.tokens + i.tokens
      from (select coalesce(sum(total), 0) as enviadas, coalesce(sum(recebidas), 0) as recebidas
              from uso_diario where dia = ${dia}) u,
           (select coalesce(sum(perguntas), 0) as perguntas, coalesce(sum(falhas), 0) as falhas,
                   coalesce(sum(tokens_entrada + tokens_saida), 0) as tokens from uso_ia where dia = ${dia}) i
      where ${dia} <= current_date - ${rawSql(String(OPEN_DAYS))}`,
)

async function addFinishedDays({ db }: Pick<Deps, 'db'>): Promise<void> {
  await db.transaction([], (tx) => ensureTotals(tx, {}))
  for (let days = 0; days < DAYS_PER_ROUND; days += 1) {
    const added = await db.transaction('*', async (tx) => {
      const next = await lockNextDay(tx, {})
      return next === null ? 0 : addDay(tx, { dia: next })
    })
    if (added === 0) return
  }
}

const sumTotals = oneRow(
  'sistema: sum totals',
  z.object({
    enviadas: z.number(),
    recebidas: z.number(),
    perguntas: z.number(),
    falhas: z.number(),
    tokens: z.number(),
  }),
  sql`
select t.enviadas + d.enviadas as enviadas, t.recebidas + d.recebidas as recebidas,
  t.perguntas + i.perguntas as perguntas, t.falhas + i.falhas as falhas, t.tokens + i.tokens as tokens
from totais t
cross join lateral (select coalesce(sum(total), 0) as enviadas, coalesce(sum(recebidas), 0) as recebidas
  from uso_diario where dia > t.ate) d
cross join lateral (select coalesce(sum(perguntas), 0) as perguntas, coalesce(sum(falhas), 0) as falhas,
  coalesce(sum(tokens_entrada + tokens_saida), 0) as tokens from uso_ia where dia > t.ate) i`,
)

async function readTotals({ db }: Pick<Deps, 'db'>): Promise<Readonly<Record<string, number>>> {
  const totals = await db.transaction('*', (tx) => sumTotals(tx, {}), { oneTrip: true })
  if (totals === null) return {}
  return {
    balcao_mensagens_enviadas: totals.enviadas,
    balcao_mensagens_recebidas: totals.recebidas,
    balcao_ia_perguntas: totals.perguntas,
    balcao_ia_falhas: totals.falhas,
    balcao_ia_tokens: totals.tokens,
  }
}

const listContaIds = manyRows(
  'sistema: list contas',
  z.object({ id: z.string() }),
  sql`select id from contas order by id`,
)

const sumFiles = oneRow(
  'sistema: sum files',
  z.object({ arquivos: z.number(), bytes: z.number() }),
  sql`select count(*) as arquivos, coalesce(sum(tamanho), 0) as bytes from arquivos
      where conta_id = any (${value('contas', 'uuid[]')})`,
)

const storeFiles = noRows(
  'sistema: store files',
  sql`insert into totais (arquivos, arquivos_bytes) values (${value('arquivos', 'bigint')}, ${value('bytes', 'bigint')})
      on conflict (unica) do update set arquivos = excluded.arquivos, arquivos_bytes = excluded.arquivos_bytes`,
)

/** Sums some contas with each statement, because one over all files would reach its timeout. */
async function countFiles({ db }: Pick<Deps, 'db'>): Promise<void> {
  const all = await db.read('*', (tx) => listContaIds(tx, {}))
  const total = { arquivos: 0, bytes: 0 }
  for (let from = 0; from < all.length; from += CONTAS_PER_STATEMENT) {
    const contas = all.slice(from, from + CONTAS_PER_STATEMENT).map(({ id }) => id)
    const part = await db.read('*', (tx) => sumFiles(tx, { contas }))
    total.arquivos += part?.arquivos ?? 0
    total.bytes += part?.bytes ?? 0
  }
  await db.transaction([], (tx) => storeFiles(tx, total))
}
