import * as z from 'zod/mini'
import { ESTADOS_PAGAMENTO } from '@balcao/contract/entities/pedido'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'

/** Two statements of one conta would confirm with the same line. */
export const lockStatements = noRows(
  'extratos: lock',
  sql`select pg_advisory_xact_lock(hashtext('extratos'), hashtext(${contaId}::text))`,
)

export const listSeen = manyRows(
  'extratos: list seen',
  z.object({ chave: z.string() }),
  sql`select chave from extratos where conta_id = ${contaId} and chave = any (${value('keys', 'text[]')})`,
)

export const insertSeen = noRows(
  'extratos: insert',
  sql`insert into extratos (conta_id, chave, pedido_id, dia, lido_em)
      select ${contaId}, chave, pedido_id, dia, ${value('now', 'timestamptz')}
      from ${columns('i', { chave: 'text', pedidoId: 'uuid?', dia: 'date' })} on conflict do nothing`,
)

export const deleteOldSeen = noRows(
  'extratos: delete old',
  sql`delete from extratos where conta_id = ${contaId} and lido_em < ${value('before', 'timestamptz')}`,
)

/** Orders through PIX of these days that are not paid, and those that a credit names. */
export const listPayable = manyRows(
  'pedidos: list payable',
  z.object({
    ...{ id: z.string(), txid: z.string(), dia: z.string(), totalCentavos: z.number() },
    ...{ estado: z.enum(ESTADOS_PAGAMENTO), cancelado: z.boolean() },
  }),
  sql`select p.id, p.txid, to_char(p.dia, 'YYYY-MM-DD') as dia, p.total_centavos::float8 as total_centavos,
        p.pagamento_estado as estado, p.status = 'cancelado' as cancelado
      from pedidos p where p.conta_id = ${contaId} and (p.txid = any (${value('txids', 'text[]')})
        or (p.pagamento_forma = 'pix' and p.pagamento_estado <> 'confirmado' and p.status <> 'cancelado'
          and p.dia between ${value('from', 'date')} and ${value('until', 'date')}))
      order by p.id limit 20000`,
)
