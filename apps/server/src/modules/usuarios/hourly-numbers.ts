import * as z from 'zod/mini'
import type { AdminStats } from '@balcao/contract/entities/admin'
import { sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { createJob, type Job } from '#lib/every.ts'
import { trendPercent } from './rules.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const KEPT_MS = 60 * DAY_MS
/** Accepts an older hour, because the server may have been off. */
const TOLERANCE_MS = 2 * HOUR_MS

const numbersSchema = z.object({
  totalUsuarios: z.number(),
  usuariosAtivos: z.number(),
  botsAtivos: z.number(),
  mensagensHoje: z.number(),
})
type HourlyNumbers = z.output<typeof numbersSchema>

const now = value('now', 'timestamptz')

const findNow = oneRow(
  'usuarios: count now',
  numbersSchema,
  sql`with donos as (
        select u.status from usuarios u join contas c on c.id = u.conta_id
         where u.tipo <> 'operador' and u.excluido_em is null and c.excluida_em is null)
      select (select count(*) from donos) as total_usuarios,
             (select count(*) from donos where status = 'ativo') as usuarios_ativos,
             (select count(*) from linhas_bots where status = 'CONECTADO') as bots_ativos,
             (select coalesce(sum(d.total), 0) from contas c cross join lateral (
               select total from uso_diario where conta_id = c.id and dia = (${now} at time zone c.fuso)::date
               offset 0) d) as mensagens_hoje`,
)

/**
 * Counts over all contas, operadores excluded. Needs a system transaction. Without `offset 0` the planner reads the days
 * of all years: at 10,000 contas the week took 16 s.
 */
async function countNow(tx: Tx, now: Date): Promise<HourlyNumbers> {
  const numbers = await findNow(tx, { now })
  if (numbers === null) throw new Error('counts query without a row')
  return numbers
}

const insertNumbers = noRows(
  'usuarios: insert hourly numbers',
  sql`insert into numeros_horarios (em, total_usuarios, usuarios_ativos, bots_ativos, mensagens_hoje)
      values (date_trunc('hour', ${now}), ${value('totalUsuarios', 'int')}, ${value('usuariosAtivos', 'int')},
        ${value('botsAtivos', 'int')}, ${value('mensagensHoje', 'int')}) on conflict do nothing`,
)

const deleteOldNumbers = noRows(
  'usuarios: delete old hourly numbers',
  sql`delete from numeros_horarios where em < ${value('before', 'timestamptz')}`,
)

export async function recordHourlyNumbers(tx: Tx, now: Date): Promise<void> {
  await insertNumbers(tx, { now, ...(await countNow(tx, now)) })
  await deleteOldNumbers(tx, { before: new Date(now.getTime() - KEPT_MS) })
}

const findLast = oneRow(
  'usuarios: find hourly numbers',
  numbersSchema,
  sql`select total_usuarios, usuarios_ativos, bots_ativos, mensagens_hoje from numeros_horarios
      where em between ${value('from', 'timestamptz')} and ${value('to', 'timestamptz')} order by em desc limit 1`,
)

function findBefore(tx: Tx, now: Date, days: number): Promise<HourlyNumbers | null> {
  const before = now.getTime() - days * DAY_MS
  return findLast(tx, { from: new Date(before - TOLERANCE_MS), to: new Date(before) })
}

/**
 * Counts messages since Monday, and those of last week before the same weekday. Days are local to each conta. Reads the
 * days of all contas by their date: one lookup for each conta took 570 ms on a Sunday with 10,000 contas.
 */
const countWeeks = oneRow(
  'usuarios: count weeks',
  z.object({ esta: z.number(), passada: z.number() }),
  sql`with zonas as materialized (
        select fuso, hoje, date_trunc('week', hoje)::date as segunda
          from (select fuso, (${now} at time zone fuso)::date as hoje from (select distinct fuso from contas) f) z),
      dias as (
        select c.fuso, d.dia, sum(d.total) as total from uso_diario d join contas c on c.id = d.conta_id
         where d.dia between (select min(segunda) - 7 from zonas) and (select max(hoje) from zonas) group by 1, 2)
      select coalesce(sum(total) filter (where dia >= segunda), 0) as esta,
             coalesce(sum(total) filter (where dia >= segunda - 7 and dia < hoje - 7), 0) as passada
        from dias join zonas using (fuso) where dia <= hoje`,
)

function trendsOf(now: HourlyNumbers, before: HourlyNumbers | null): AdminStats['tendencias'] {
  return {
    totalUsuarios: trendPercent(now.totalUsuarios, before?.totalUsuarios ?? null),
    usuariosAtivos: trendPercent(now.usuariosAtivos, before?.usuariosAtivos ?? null),
    botsAtivos: trendPercent(now.botsAtivos, before?.botsAtivos ?? null),
    mensagensHoje: trendPercent(now.mensagensHoje, before?.mensagensHoje ?? null),
  }
}

export async function readAdminStats({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<AdminStats> {
  return db.read('*', async (tx) => {
    const now = clock.now()
    const numbers = await countNow(tx, now)
    const yesterday = await findBefore(tx, now, 1)
    const week = await findBefore(tx, now, 7)
    const { esta, passada } = (await countWeeks(tx, { now })) ?? { esta: 0, passada: 0 }
    const { totalUsuarios, usuariosAtivos } = trendsOf(numbers, week)
    return {
      ...numbers,
      mensagensSemana: esta,
      tendencias: trendsOf(numbers, yesterday),
      tendenciasSemana: {
        totalUsuarios,
        usuariosAtivos,
        mensagens: trendPercent(esta, week === null ? null : passada + week.mensagensHoje),
      },
    }
  })
}

const INTERVAL_MS = 10 * 60_000

/** Records the hourly numbers. Runs every 10 minutes, so a restart does not skip an hour. */
export function usageJob({ db, clock, log, leader }: Pick<Deps, 'db' | 'clock' | 'log' | 'leader'>): Job {
  return createJob(() => {
    const task = leader.every({
      ...{ name: 'numeros', ms: INTERVAL_MS },
      task: () => db.transaction('*', (tx) => recordHourlyNumbers(tx, clock.now())),
      failed: (error) => log.error({ err: error }, 'hourly numbers not recorded'),
    })
    task.wake()
    return [task]
  })
}
