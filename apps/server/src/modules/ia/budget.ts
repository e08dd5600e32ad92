import * as z from 'zod/mini'
import { costLimit, isBudgetUsed } from '@balcao/engine/ia/price'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { raiseContextVersion } from '#modules/contas/index.ts'
import { mailBudgetUsed } from '#modules/emails/index.ts'
import { insertLog } from '#modules/logs/index.ts'

const now = value('now', 'timestamptz')
const noticeAt = value('noticeAt', 'timestamptz')

const findMonth = oneRow(
  'ia: find month',
  z.object({ mes: z.string(), endsAt: z.date(), cost: z.number() }),
  sql`
select to_char(m.mes, 'YYYY-MM') as mes, (m.mes + interval '1 month') at time zone k.fuso as ends_at,
  coalesce((select g.custo from gastos_ia g where g.conta_id = k.id and g.mes = m.mes::date), 0)::float8 as cost
from contas k cross join lateral (select date_trunc('month', ${now} at time zone k.fuso) as mes) m
where k.id = ${contaId}`,
)

export interface IaMonth {
  /** `AAAA-MM` in the time zone of the conta. */
  readonly mes: string
  readonly endsAt: Date
  /** In millionths of a cent. */
  readonly cost: number
}

export async function readMonth(tx: Tx, contaId: string, at: Date): Promise<IaMonth> {
  const month = await findMonth(tx, { contaId, now: at })
  if (month === null) throw new Error('conta not found')
  return month
}

/** The month's cost of a conta, in millionths of a cent, as a part of the statement that reads a question. */
export const monthCostOf = sql`coalesce((
  select g.custo from contas k
  join gastos_ia g on g.conta_id = k.id and g.mes = date_trunc('month', ${now} at time zone k.fuso)::date
  where k.id = i.conta_id), 0)::float8`

export interface IaUsage {
  readonly contaId: string
  /** `AAAA-MM-DD` in the time zone of the conta. */
  readonly day: string
  /** 1 when the question was not answered, else 0. */
  readonly falhas: number
  readonly tokensEntrada: number
  readonly tokensSaida: number
  /** In millionths of a cent. */
  readonly custo: number
  /** In cents. Null: no budget. */
  readonly orcamento: number | null
}

/** The process that stores the last answer of a budget notifies the owner sooner. */
const NOTICE_MS = 10_000

/** The answer that uses the budget up also stores that the owner must be notified. */
const upsertUsos = manyRows(
  'ia-usos',
  z.object({ contaId: z.string(), mes: z.string(), custo: z.number() }),
  sql`
with i as (
  select * from ${columns('i', {
    contaId: 'uuid',
    day: 'date',
    falhas: 'int',
    tokensEntrada: 'int',
    tokensSaida: 'int',
    custo: 'bigint',
    limite: 'bigint?',
  })}
), dias as (
  insert into uso_ia as u (conta_id, dia, perguntas, falhas, tokens_entrada, tokens_saida)
  select i.conta_id, i.day, count(*), sum(i.falhas), sum(i.tokens_entrada), sum(i.tokens_saida)
  from i group by i.conta_id, i.day order by i.conta_id, i.day
  on conflict (conta_id, dia) do update set perguntas = u.perguntas + excluded.perguntas, falhas = u.falhas + excluded.falhas,
    tokens_entrada = u.tokens_entrada + excluded.tokens_entrada, tokens_saida = u.tokens_saida + excluded.tokens_saida
)
insert into gastos_ia as g (conta_id, mes, custo, avisar_em)
select i.conta_id, date_trunc('month', i.day::timestamp)::date, sum(i.custo),
  case when sum(i.custo) >= max(i.limite) then ${noticeAt} end
from i group by 1, 2 having sum(i.custo) > 0 order by 1, 2
on conflict (conta_id, mes) do update set custo = g.custo + excluded.custo, avisar_em = case
  when g.avisado_em is null and g.custo + excluded.custo >= (select max(i.limite) from i where i.conta_id = g.conta_id)
  then ${noticeAt} end
returning g.conta_id, g.mes::text as mes, g.custo::float8 as custo`,
  { prepared: true },
)

const markNotified = noRows(
  'ia: mark budget notified',
  sql`update gastos_ia set avisado_em = ${now}, avisar_em = null
      where conta_id = ${contaId} and mes = ${value('mes', 'date')} and avisado_em is null`,
)

export type BudgetDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'mailQueued' | 'realtime' | 'log'>

/** Adds the answers to the day and the month. The one that uses the budget up pauses the AI of its conta. */
export async function addUsos(tx: Tx, deps: BudgetDeps, usages: readonly IaUsage[]): Promise<void> {
  if (usages.length === 0) return
  const noticeAt = new Date(deps.clock.now().getTime() + NOTICE_MS)
  const i = usages.map((usage) => ({ ...usage, limite: costLimit(usage.orcamento) }))
  for (const { contaId, mes, custo } of await upsertUsos(tx, { i, noticeAt })) {
    const own = usages.filter((usage) => usage.contaId === contaId)
    const orcamento = own.at(-1)?.orcamento ?? null
    const added = own.reduce((sum, usage) => sum + usage.custo, 0)
    if (!isBudgetUsed(custo, orcamento) || isBudgetUsed(custo - added, orcamento)) continue
    // In another transaction: the COMMIT of this one may already be sent, and it holds the row of the conta with a shared
    // lock. Until then each question reads the month's cost.
    tx.afterCommit(() => {
      pauseIa(deps, { contaId, mes, orcamento: orcamento ?? 0 }).catch((error: unknown) =>
        deps.log.warn({ err: error, contaId }, 'budget of the AI used up, owner not notified'),
      )
    })
  }
}

const BUDGET_USED_TEXT =
  'O orçamento da IA deste mês acabou. Até o fim do mês ela fica desligada; para voltar antes, aumente o orçamento na aba IA.'

interface UsedBudget {
  readonly contaId: string
  readonly mes: string
  readonly orcamento: number
}

const listMissedNotices = manyRows(
  'ia: list missed budget notices',
  z.object({ contaId: z.string(), mes: z.string(), custo: z.number() }),
  sql`select conta_id, mes::text as mes, custo::float8 as custo from gastos_ia where avisar_em <= ${now}`,
)

const dropNotice = noRows(
  'ia: drop budget notice',
  sql`update gastos_ia set avisar_em = null where conta_id = ${contaId} and mes = ${value('mes', 'date')}`,
)

/** Of processes that died after the commit of the last answer. */
export async function tellMissedBudgets(deps: BudgetDeps): Promise<void> {
  const missed = await deps.db.transaction('*', (tx) => listMissedNotices(tx, { now: deps.clock.now() }))
  for (const { contaId, mes, custo } of missed) {
    const { config } = await deps.db.read(contaId, (tx) => loadConfig(tx, deps, contaId))
    const orcamento = config.ia.orcamentoCentavosMes
    if (isBudgetUsed(custo, orcamento)) await pauseIa(deps, { contaId, mes, orcamento: orcamento ?? 0 })
    else await deps.db.transaction(contaId, (tx) => dropNotice(tx, { contaId, mes }))
  }
}

/** Notifies the owner once a month. The bot reads the settings again, also when a raised budget is used up. */
function pauseIa(deps: BudgetDeps, { contaId, mes, orcamento }: UsedBudget): Promise<void> {
  return deps.db.transaction(contaId, async (tx) => {
    await raiseContextVersion(tx, { contaId })
    if ((await markNotified(tx, { contaId, mes, now: deps.clock.now() })) === 0) return
    await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: BUDGET_USED_TEXT })
    await mailBudgetUsed(tx, deps, contaId, { centavos: orcamento, mes })
  })
}
