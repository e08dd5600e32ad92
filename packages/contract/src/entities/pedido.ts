import * as z from 'zod/mini'
import { FORMAS_PAGAMENTO } from '#constants.ts'
import { idSchema, instantSchema } from './common.ts'
import { centavosSchema } from './produto.ts'

/** Orders. Money is in cents. */

export const STATUS_PEDIDO = ['novo', 'preparo', 'saiu', 'entregue', 'cancelado'] as const
export const statusPedidoSchema = z.enum(STATUS_PEDIDO)
export type StatusPedido = z.infer<typeof statusPedidoSchema>

export const ESTADOS_PAGAMENTO = ['pendente', 'informado', 'confirmado'] as const

/** Eight digits. `01310-100` is accepted and stored without its hyphen. */
export const cepSchema = z
  .pipe(
    z.string(),
    z.transform((typed: string) => typed.replace(/[\s.-]/g, '')),
  )
  .check(z.refine((cep: string) => /^\d{8}$/.test(cep), 'O CEP tem oito números'))

const observacaoSchema = z.string().check(z.trim(), z.maxLength(300))

export const QUANTIDADE_MAXIMA = 999
export const ITENS_MAXIMO = 100

/** An item as a request names it. `opcoes` are ids of options of the produto's groups. */
export const itemPedidoInputSchema = z.object({
  produtoId: idSchema,
  quantidade: z.int().check(z.gte(1, 'A quantidade mínima é 1'), z.lte(QUANTIDADE_MAXIMA)),
  opcoes: z.optional(z.array(idSchema).check(z.maxLength(100))),
  observacao: z.optional(observacaoSchema),
})
export type ItemPedidoInput = z.infer<typeof itemPedidoInputSchema>

export const itemPedidoSchema = z.object({
  produtoId: z.string(),
  nome: z.string(),
  quantidade: z.int(),
  /** Of one, with its options. */
  precoCentavos: z.int(),
  observacao: z.string(),
  /** Copied when the order is confirmed. */
  opcoes: z.array(z.object({ grupo: z.string(), nome: z.string(), acrescimoCentavos: z.int() })),
})
export type ItemPedido = z.infer<typeof itemPedidoSchema>

const TIPOS_ENTREGA = ['entrega', 'retirada'] as const

export const entregaSchema = z.object({
  tipo: z.enum(TIPOS_ENTREGA),
  endereco: z.string(),
  bairro: z.string(),
  cep: z.string(),
})
export type Entrega = z.infer<typeof entregaSchema>

export const entregaInputSchema = z.object({
  tipo: z.enum(TIPOS_ENTREGA),
  endereco: z._default(z.string().check(z.trim(), z.maxLength(300)), ''),
  bairro: z._default(z.string().check(z.trim(), z.maxLength(80)), ''),
  cep: z._default(z.union([z.literal(''), cepSchema]), ''),
})

const pagamentoFields = {
  forma: z.enum(FORMAS_PAGAMENTO),
  /** The note that the customer pays with, in cents. Only for `dinheiro`. */
  trocoParaCentavos: z.optional(centavosSchema),
}

export const pagamentoInputSchema = z.object(pagamentoFields)
export type PagamentoInput = z.infer<typeof pagamentoInputSchema>

export const pagamentoSchema = z.object({ ...pagamentoFields, estado: z.enum(ESTADOS_PAGAMENTO) })
export type Pagamento = z.infer<typeof pagamentoSchema>

export const pedidoSchema = z.object({
  id: z.string(),
  /** Counts from 1 on each local day of the shop. */
  numero: z.int(),
  contatoId: z.string(),
  conversaId: z.string(),
  cliente: z.string(),
  itens: z.array(itemPedidoSchema),
  subtotalCentavos: z.int(),
  entregaCentavos: z.int(),
  descontoCentavos: z.int(),
  totalCentavos: z.int(),
  entrega: entregaSchema,
  pagamento: pagamentoSchema,
  status: statusPedidoSchema,
  txid: z.string(),
  criadoEm: instantSchema,
  atualizadoEm: instantSchema,
  observacao: z.string(),
})
export type Pedido = z.infer<typeof pedidoSchema>

/** Payments of a bank statement that arrived for orders. Only credits count. */
export const extratoSchema = z.object({
  /** The payment of these orders is confirmed. */
  confirmados: z.array(z.object({ pedidoId: z.string(), valorCentavos: z.int(), data: z.iso.date() })),
  /** Payments that may belong to each of several orders, or do not agree with theirs. A person decides. */
  duvidosos: z.array(z.object({ valorCentavos: z.int(), data: z.iso.date(), pedidoIds: z.array(z.string()) })),
  semPedido: z.int(),
  /** Read in an earlier statement, or the order was paid before. */
  repetidos: z.int(),
})
export type Extrato = z.infer<typeof extratoSchema>

/** An order before the customer confirms it, with the prices that the customer saw. */
export const carrinhoSchema = z.object({
  itens: z.array(
    z.object({
      ...{ produtoId: z.string(), nome: z.string(), quantidade: z.int(), precoCentavos: z.int() },
      /** Ids and names of the chosen options. */
      ...{ opcoes: z.array(z.string()), detalhes: z.array(z.string()), observacao: z.string() },
    }),
  ),
  subtotalCentavos: z.int(),
  /** Code of the coupon. */
  cupom: z.nullable(z.string()),
  mudouEm: instantSchema,
})
export type Carrinho = z.infer<typeof carrinhoSchema>
