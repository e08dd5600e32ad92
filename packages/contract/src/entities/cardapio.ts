import * as z from 'zod/mini'
import { FORMAS_PAGAMENTO } from '#constants.ts'
import { idSchema, instantSchema } from './common.ts'
import { cepSchema, entregaInputSchema, ITENS_MAXIMO, itemPedidoInputSchema, pagamentoInputSchema } from './pedido.ts'
import { centavosSchema, grupoSchema } from './produto.ts'

/** The menu on the web, as strangers see it. Money is in cents. */

const produtoCardapioSchema = z.object({
  id: z.string(),
  nome: z.string(),
  descricao: z.string(),
  precoCentavos: z.int(),
  imagemUrl: z.nullable(z.string()),
  /** False: sold out or paused. */
  disponivel: z.boolean(),
  /** Only with options on sale. */
  grupos: z.array(grupoSchema),
})
export type ProdutoCardapio = z.infer<typeof produtoCardapioSchema>

export const cardapioSchema = z.object({
  nome: z.string(),
  descricao: z.string(),
  aberto: z.boolean(),
  /** The week, such as 'segunda a sexta, das 8h às 18h'. */
  horario: z.string(),
  /** Now, such as 'fechado, abre amanhã às 08:00'. */
  situacao: z.string(),
  /** False: the page only shows produtos. */
  pedidos: z.boolean(),
  /** False: a cart would be refused with `lojaFechada`. */
  aceitaAgora: z.boolean(),
  /** The category without a name is the last one. */
  categorias: z.array(z.object({ nome: z.string(), produtos: z.array(produtoCardapioSchema) })),
  entrega: z.object({
    ativa: z.boolean(),
    gratisAcimaCentavos: z.nullable(z.int()),
    /** Names that the shop delivers to, for the form. */
    bairros: z.array(z.string()),
  }),
  retirada: z.boolean(),
  pagamentos: z.array(z.enum(FORMAS_PAGAMENTO)),
  minimoCentavos: z.int(),
  /** Address of the chat. Null: the number is unknown. */
  whatsapp: z.nullable(z.string()),
})
export type Cardapio = z.infer<typeof cardapioSchema>

export const enderecoEntregaSchema = z.object({
  bairro: z._default(z.string().check(z.trim(), z.maxLength(80)), ''),
  cep: z._default(z.union([z.literal(''), cepSchema]), ''),
})

export const carrinhoInputSchema = z.object({
  /** Chosen by the page. The same one gets the same answer. */
  id: z.uuid('O pedido precisa de um id'),
  itens: z
    .array(z.extend(itemPedidoInputSchema, { precoCentavos: z.optional(centavosSchema) }))
    .check(z.minLength(1, 'O pedido precisa de um produto'), z.maxLength(ITENS_MAXIMO)),
  entrega: entregaInputSchema,
  pagamento: pagamentoInputSchema,
  cupom: z.optional(z.string().check(z.trim(), z.maxLength(20))),
  observacao: z.optional(z.string().check(z.trim(), z.maxLength(300))),
  /** Of the link in the chat. A wrong or expired one counts as none. */
  t: z.optional(z.string().check(z.maxLength(300))),
})
export type CarrinhoInput = z.infer<typeof carrinhoInputSchema>

export const carrinhoAceitoSchema = z.object({
  codigo: z.string(),
  totalCentavos: z.int(),
  /** Opens the chat with the code as text. Null: the number is unknown, and the customer types the code. */
  whatsapp: z.nullable(z.string()),
  expiraEm: instantSchema,
  /** The summary is in the customer's chat already. */
  noChat: z.boolean(),
})
export type CarrinhoAceito = z.infer<typeof carrinhoAceitoSchema>

export const enderecoParamsSchema = z.object({ endereco: idSchema })
