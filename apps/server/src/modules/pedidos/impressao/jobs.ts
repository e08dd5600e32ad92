import * as z from 'zod/mini'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'

const pedidoId = value('pedidoId', 'uuid')
const now = value('now', 'timestamptz')
const until = value('until', 'timestamptz')
const theOne = sql`conta_id = ${contaId} and pedido_id = ${pedidoId}`

export const insertPrintJobs = noRows(
  'impressoes: insert',
  sql`insert into impressoes (conta_id, pedido_id, proxima_em, criada_em)
      select conta_id, pedido_id, now, now from ${columns('i', { contaId: 'uuid', pedidoId: 'uuid', now: 'timestamptz' })}`,
)

/**
 * Due tickets, oldest first. They are postponed to `until`, so that no other node prints them meanwhile. `incerta`: a
 * process died while it printed this one.
 */
export const claimPrintJobs = manyRows(
  'impressoes: claim',
  z.object({
    ...{ pedidoId: z.string(), tentativas: z.int(), incerta: z.boolean(), criadaEm: z.date(), empresa: z.string() },
  }),
  sql`with d as (
      select conta_id, pedido_id, incerta from impressoes where conta_id = ${contaId} and proxima_em <= ${now}
      order by pedido_id limit 10 for update skip locked
    ), u as (
      update impressoes i set tentativas = i.tentativas + 1, incerta = true, proxima_em = ${until}
      from d where i.conta_id = d.conta_id and i.pedido_id = d.pedido_id returning i.pedido_id, i.tentativas, i.criada_em
    )
    select u.pedido_id, u.tentativas, d.incerta, u.criada_em, k.empresa
    from u join d on d.pedido_id = u.pedido_id join contas k on k.id = d.conta_id order by u.pedido_id`,
)

export const deletePrintJob = noRows('impressoes: delete', sql`delete from impressoes where ${theOne}`)

export const postponePrintJob = noRows(
  'impressoes: postpone',
  sql`update impressoes set proxima_em = ${until}, incerta = ${value('began', 'bool')} where ${theOne}`,
)

/** Deletes the due tickets of all contas: those of an imported backup may be printed. */
export const deleteDuePrintJobs = noRows(
  'impressoes: delete due',
  sql`delete from impressoes where proxima_em <= ${now}`,
)
