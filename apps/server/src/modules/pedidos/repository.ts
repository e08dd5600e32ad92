import * as z from 'zod/mini'
import { FORMAS_PAGAMENTO } from '@balcao/contract/constants'
import {
  type Entrega,
  entregaSchema,
  ESTADOS_PAGAMENTO,
  type ItemPedido,
  itemPedidoSchema,
  type Pedido,
  statusPedidoSchema,
} from '@balcao/contract/entities/pedido'
import { instant } from '#db/statement/fields.ts'
import { lineOf } from '#db/statement/line.ts'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'

const rowSchema = z.object({
  ...{ id: z.string(), numero: z.int(), contatoId: z.nullable(z.string()), conversaId: z.nullable(z.string()) },
  ...{ cliente: z.string(), itens: z.array(itemPedidoSchema), entrega: entregaSchema },
  ...{ subtotalCentavos: z.number(), entregaCentavos: z.number(), descontoCentavos: z.number() },
  ...{ totalCentavos: z.number(), trocoCentavos: z.nullable(z.number()) },
  pagamentoForma: z.enum(FORMAS_PAGAMENTO),
  pagamentoEstado: z.enum(ESTADOS_PAGAMENTO),
  status: statusPedidoSchema,
  ...{ txid: z.string(), observacao: z.string(), criadoEm: instant, atualizadoEm: instant },
})

const cents = ['subtotal_centavos', 'entrega_centavos', 'desconto_centavos', 'total_centavos', 'troco_centavos']
const pedidoColumns = sql`p.id, p.numero, p.contato_id, p.conversa_id, p.cliente, p.itens, p.entrega, p.pagamento_forma,
  p.pagamento_estado, p.status, p.txid, p.observacao, p.criado_em, p.atualizado_em,
  ${rawSql(cents.map((column) => `p.${column}::float8 as ${column}`).join(', '))}`

function toPedido({ contatoId, conversaId, trocoCentavos, ...row }: z.output<typeof rowSchema>): Pedido {
  const { pagamentoForma: forma, pagamentoEstado: estado, ...pedido } = row
  return {
    ...pedido,
    contatoId: contatoId ?? '',
    conversaId: conversaId ?? '',
    pagamento: { forma, estado, ...(trocoCentavos === null ? {} : { trocoParaCentavos: trocoCentavos }) },
  }
}

const id = value('id', 'uuid')
const now = value('now', 'timestamptz')
const status = value('status', 'text')
const theOne = sql`p.conta_id = ${contaId} and p.id = ${id}`

/**
 * Numbers follow each other without a gap, in the order of the ids: the counters of the contas stay locked until the
 * transaction ends.
 */
const insertRows = manyRows(
  'pedidos: insert',
  rowSchema,
  sql`with i as (
        select * from ${columns('i', {
          ...{ contaId: 'uuid', id: 'uuid', dia: 'date', contatoId: 'uuid', conversaId: 'uuid?', linhaId: 'uuid?' },
          ...{ cliente: 'text', itens: 'jsonb', subtotalCentavos: 'bigint', entregaCentavos: 'bigint' },
          ...{ descontoCentavos: 'bigint', totalCentavos: 'bigint', entrega: 'jsonb', forma: 'text' },
          ...{ trocoCentavos: 'bigint?', txid: 'text', cupomId: 'uuid?', observacao: 'text', now: 'timestamptz' },
        })}
      ), n as (
        insert into pedidos_numeros as n (conta_id, dia, ultimo)
        select conta_id, dia, count(*) from i group by conta_id, dia order by conta_id, dia
        on conflict (conta_id, dia) do update set ultimo = n.ultimo + excluded.ultimo returning conta_id, dia, ultimo
      )
      insert into pedidos as p (conta_id, id, dia, numero, contato_id, conversa_id, linha_id, cliente, itens,
        subtotal_centavos, entrega_centavos, desconto_centavos, total_centavos, entrega, pagamento_forma, troco_centavos,
        pagamento_estado, status, txid, cupom_id, observacao, criado_em, atualizado_em)
      select i.conta_id, i.id, i.dia, n.ultimo + 1 - row_number() over (partition by i.conta_id, i.dia order by i.id desc),
        i.contato_id, i.conversa_id, i.linha_id, i.cliente, i.itens, i.subtotal_centavos, i.entrega_centavos,
        i.desconto_centavos, i.total_centavos, i.entrega, i.forma, i.troco_centavos, 'pendente', 'novo', i.txid,
        i.cupom_id, i.observacao, i.now, i.now
      from i join n on n.conta_id = i.conta_id and n.dia = i.dia
      returning ${pedidoColumns}`,
  { prepared: true },
)

type StoredFields = Omit<Parameters<typeof insertRows>[1]['i'][number], 'itens' | 'entrega'>

export interface NewPedido extends StoredFields {
  readonly itens: readonly ItemPedido[]
  readonly entrega: Entrega
}

/** Returns the given orders with what was stored. */
export async function insertPedidos<P extends NewPedido>(
  tx: Tx,
  i: readonly P[],
): Promise<(P & { readonly pedido: Pedido })[]> {
  if (i.length === 0) return []
  const stored = new Map((await insertRows(tx, { i })).map((row) => [row.id, toPedido(row)]))
  return i.map((novo) => {
    const pedido = stored.get(novo.id)
    if (pedido === undefined) throw new Error('order not stored')
    return { ...novo, pedido }
  })
}

const findRow = oneRow('pedidos: find', rowSchema, sql`select ${pedidoColumns} from pedidos p where ${theOne}`)

export async function findPedido(tx: Tx, contaId: string, id: string): Promise<Pedido | null> {
  const row = await findRow(tx, { contaId, id })
  return row === null ? null : toPedido(row)
}

const lockRow = oneRow(
  'pedidos: lock',
  z.extend(rowSchema, { linhaId: z.string() }),
  sql`select ${pedidoColumns}, ${lineOf('p')} as linha_id from pedidos p where ${theOne} for no key update`,
)

export interface LockedPedido {
  readonly pedido: Pedido
  readonly linhaId: string
}

export async function lockPedido(tx: Tx, contaId: string, id: string): Promise<LockedPedido | null> {
  const row = await lockRow(tx, { contaId, id })
  if (row === null) return null
  const { linhaId, ...rest } = row
  return { pedido: toPedido(rest), linhaId }
}

const updateRow = oneRow(
  'pedidos: update',
  rowSchema,
  sql`update pedidos p set status = ${status}, pagamento_estado = ${value('estado', 'text')}, atualizado_em = ${now}
      where ${theOne} returning ${pedidoColumns}`,
)

export async function updatePedido(tx: Tx, change: Parameters<typeof updateRow>[1]): Promise<Pedido> {
  const row = await updateRow(tx, change)
  if (row === null) throw new Error('locked order is gone')
  return toPedido(row)
}

/**
 * Returns one row more than the page asks for. The searched words are compared with the customer's name, the phone and
 * the names of the produtos, and a searched number with the number of the order.
 */
const listRows = manyRows(
  'pedidos: list',
  rowSchema,
  sql`select ${pedidoColumns} from pedidos p
      where p.conta_id = ${contaId} and p.id < coalesce(${value('before', 'uuid?')}, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        and (${value('status', 'text?')} is null or p.status = ${value('status', 'text?')})
        and (${value('contatoId', 'uuid?')} is null or p.contato_id = ${value('contatoId', 'uuid?')})
        and (${value('dia', 'date?')} is null or p.dia = ${value('dia', 'date?')})
        and (${value('words', 'text[]')} = '{}' or p.numero = ${value('numero', 'int?')}
          or busca_dobrar(p.cliente || ' ' || (select string_agg(i ->> 'nome', ' ') from jsonb_array_elements(p.itens) i))
            like all (${value('words', 'text[]')})
          or exists (select from contatos c where c.conta_id = p.conta_id and c.id = p.contato_id
            and c.telefone like ${value('phone', 'text?')}))
      order by p.id desc limit ${value('limit', 'int')}`,
)

export type PedidoFilter = Pick<
  Parameters<typeof listRows>[1],
  'status' | 'dia' | 'contatoId' | 'words' | 'numero' | 'phone'
>

export async function listPedidos(tx: Tx, contaId: string, filter: PedidoFilter, page: Page): Promise<Pedido[]> {
  const rows = await listRows(tx, { contaId, ...filter, before: page.before, limit: page.limite + 1 })
  return rows.map(toPedido)
}

/** Orders of a contato, for its export. */
const listOf = manyRows(
  'pedidos: list of contato',
  rowSchema,
  sql`select ${pedidoColumns} from pedidos p where p.conta_id = ${contaId} and p.contato_id = ${value('contatoId', 'uuid')}
      order by p.id ${rawSql('limit 1000')}`,
)

export async function listPedidosOf(tx: Tx, contaId: string, contatoId: string): Promise<Pedido[]> {
  return (await listOf(tx, { contaId, contatoId })).map(toPedido)
}
