import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'

const now = value('now', 'timestamptz')

/** Null: not due, or another node has it. `ultimoDia`: the last local day that was handled. */
export const lockDueSummary = oneRow(
  'prazos: lock due summary',
  z.object({ ultimoDia: z.nullable(z.string()) }),
  sql`select to_char(resumo_dia, 'YYYY-MM-DD') as ultimo_dia from regras_atendimento
    where conta_id = ${contaId} and resumo_em <= ${now} for update skip locked`,
)

/** `day` null: the last day stays. */
export const moveSummary = noRows(
  'prazos: move summary',
  sql`update regras_atendimento set resumo_em = ${value('at', 'timestamptz?')},
      resumo_dia = coalesce(${value('day', 'date?')}, resumo_dia) where conta_id = ${contaId}`,
)

/** After the import of a backup the due summaries may have left before. They move to their next day. */
export const skipDueSummaries = noRows(
  'prazos: skip due summaries',
  sql`update regras_atendimento
    set resumo_em = resumo_em + make_interval(days => 1 + floor(extract(epoch from ${now} - resumo_em) / 86400)::int)
    where resumo_em <= ${now}`,
)
