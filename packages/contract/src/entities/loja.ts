import * as z from 'zod/mini'
import { parsePixChave } from './pix-chave.ts'
import { FORMAS_PAGAMENTO, TEXTO_MAXIMO } from '#constants.ts'
import { centavosSchema } from './produto.ts'
import { cepSchema, type StatusPedido } from './pedido.ts'

/** Configuration of the shop: orders, delivery, payment and the menu on the web. */

const bairroSchema = z.string().check(z.trim(), z.maxLength(80))

/** By neighbourhood, or by a range of CEPs, both ends included. */
export const taxaEntregaSchema = z
  .object({
    bairro: z.optional(bairroSchema),
    cepDe: z.optional(cepSchema),
    cepAte: z.optional(cepSchema),
    centavos: centavosSchema,
  })
  .check(
    z.refine(({ bairro = '', cepDe, cepAte }) => bairro !== '' || (cepDe !== undefined && cepAte !== undefined), {
      error: 'Informe o bairro, ou o primeiro e o último CEP',
      path: ['bairro'],
    }),
    z.refine(({ cepDe = '', cepAte = '' }) => (cepDe === '') === (cepAte === '') && cepDe <= cepAte, {
      error: 'O primeiro CEP passa do último',
      path: ['cepDe'],
    }),
  )
export type TaxaEntrega = z.infer<typeof taxaEntregaSchema>

const pixSchema = z.object({
  /** Empty: the shop takes no PIX through the chat. */
  chave: z.string().check(
    z.trim(),
    z.maxLength(80),
    z.refine(
      (chave) => chave === '' || parsePixChave(chave) !== null,
      'Esta chave PIX não existe. Confira os dígitos.',
    ),
  ),
  nome: z.string().check(z.trim(), z.maxLength(60)),
  cidade: z.string().check(z.trim(), z.maxLength(60)),
})

const mensagemStatusSchema = z.string().check(z.maxLength(TEXTO_MAXIMO))

const mensagensPedidoSchema = z.object({
  novo: mensagemStatusSchema,
  preparo: mensagemStatusSchema,
  saiu: mensagemStatusSchema,
  entregue: mensagemStatusSchema,
  cancelado: mensagemStatusSchema,
} satisfies Record<StatusPedido, typeof mensagemStatusSchema>)

const paginaSchema = z.object({
  ativa: z.boolean(),
  /** Empty until the shop chooses one. */
  endereco: z
    .string()
    .check(z.regex(/^(?:[a-z0-9-]{3,40})?$/, 'Use de 3 a 40 letras minúsculas sem acento, números ou hífen')),
  descricao: z.string().check(z.trim(), z.maxLength(300)),
  /** False: search engines are asked to leave the page out. */
  indexar: z.boolean(),
})

const isAddress = (text: string): boolean => z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success

/** Where the kitchen printer listens for ESC/POS. Only addresses, because a name may resolve to anything. */
export const destinoImpressoraSchema = z.object({
  endereco: z.string().check(
    z.trim(),
    z.maxLength(45),
    z.refine((text) => text === '' || isAddress(text), 'Use o endereço da impressora, como 192.168.0.50'),
  ),
  porta: z.int().check(z.gte(1), z.lte(65_535)),
  /** Signs of a line. */
  largura: z.union([z.literal(32), z.literal(48)]),
})

const impressoraSchema = z.extend(destinoImpressoraSchema, { ativa: z.boolean() }).check(
  z.refine(({ ativa, endereco }) => !ativa || endereco !== '', {
    error: 'Informe o endereço da impressora',
    path: ['endereco'],
  }),
)

export const lojaSchema = z.object({
  /** False: the shop only shows produtos. */
  pedidos: z.boolean(),
  entrega: z.object({
    ativa: z.boolean(),
    taxas: z.array(taxaEntregaSchema).check(z.maxLength(300)),
    minimoCentavos: centavosSchema,
    /** Delivery costs nothing from this subtotal on. */
    gratisAcimaCentavos: z.nullable(centavosSchema),
  }),
  retirada: z.boolean(),
  pagamentos: z.array(z.enum(FORMAS_PAGAMENTO)).check(z.maxLength(FORMAS_PAGAMENTO.length)),
  pix: pixSchema,
  mensagens: mensagensPedidoSchema,
  /** Minutes from the last change of an unfinished cart to its reminder. 0: no reminder. */
  lembreteMinutos: z.int().check(z.gte(0), z.lte(1_380)),
  /** Orders of the page are taken while the shop is closed. */
  pedirFechado: z.boolean(),
  /** New orders are printed in the kitchen. Needs a server whose administrator allows it. */
  impressora: impressoraSchema,
  pagina: paginaSchema,
})
export type LojaConfig = z.infer<typeof lojaSchema>
