import * as z from 'zod/mini'
import { FORMAS_PAGAMENTO } from '@balcao/contract/constants'
import {
  entregaSchema,
  ESTADOS_PAGAMENTO,
  itemPedidoSchema,
  type Pedido,
  statusPedidoSchema,
} from '@balcao/contract/entities/pedido'
import { instant } from '#db/statement/fields.ts'
import { lineOf } from '#db/statement/line.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow, oneValue } from '#db/statement/statement.ts'
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
const dia = value('dia', 'date')
const now = value('now', 'timestamptz')
const status = value('status', 'text')
const theOne = sql`p.conta_id = ${contaId} and p.id = ${id}`

/** Numbers follow each other without a gap: the counter stays locked until the transaction ends. */
export const takeNumero = oneValue(
  'pedidos: take number',
  z.int(),
  sql`insert into pedidos_numeros as n (conta_id, dia, ultimo) values (${contaId}, ${dia}, 1)
      on conflict (conta_id, dia) do update set ultimo = n.ultimo + 1 returning ultimo as value`,
)

const insertRow = oneRow(
  'pedidos: insert',
  rowSchema,
  sql`insert into pedidos as p (conta_id, id, dia, numero, contato_id, conversa_id, linha_id, cliente, itens,
        subtotal_centavos, entrega_centavos, desconto_centavos, total_centavos, entrega, pagamento_forma, troco_centavos,
        pagamento_estado, status, txid, cupom_id, observacao, criado_em, atualizado_em)
      values (${contaId}, ${id}, ${dia}, ${value('numero', 'int')}, ${value('contatoId', 'uuid')},
        ${value('conversaId', 'uuid?')}, ${value('linhaId', 'uuid?')}, ${value('cliente', 'text')}, ${value('itens', 'jsonb')},
        ${value('subtotalCentavos', 'bigint')}, ${value('entregaCentavos', 'bigint')}, ${value('descontoCentavos', 'bigint')},
        ${value('totalCentavos', 'bigint')}, ${value('entrega', 'jsonb')}, ${value('forma', 'text')},
        ${value('trocoCentavos', 'bigint?')}, 'pendente', 'novo', ${value('txid', 'text')}, ${value('cupomId', 'uuid?')},
        ${value('observacao', 'text')}, ${now}, ${now})
      returning ${pedidoColumns}`,
)

export type NewPedido = Parameters<typeof insertRow>[1]

export async function insertPedido(tx: Tx, pedido: NewPedido): Promise<Pedido> {
  const row = await insertRow(tx, pedido)
  if (row === null) throw new Error('order not stored')
  return toPedido(row)
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
