import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idSchema } from '#entities/common.ts'
import {
  carrinhoSchema,
  entregaInputSchema,
  ESTADOS_PAGAMENTO,
  extratoSchema,
  ITENS_MAXIMO,
  itemPedidoInputSchema,
  pagamentoInputSchema,
  pedidoSchema,
  statusPedidoSchema,
} from '#entities/pedido.ts'
import { centavosSchema } from '#entities/produto.ts'
import { idParamsSchema, listCursorSchema, listQuerySchema } from './common.ts'

/** Operadores see and move orders as well. Every row answers 403 while the conta has no shop. */
const permission = ['lojaWhatsapp', 'atendimentoHumano'] as const

const pedidoResponse = z.object({ pedido: pedidoSchema })

/** Newest first. `dia` is a day of the shop's time zone; `busca` matches number, customer, phone and product. */
export const pedidosRoute = defineRoute({
  method: 'GET',
  path: '/pedidos',
  permission,
  query: z.extend(listQuerySchema, {
    status: z.optional(statusPedidoSchema),
    dia: z.optional(z.iso.date('Informe o dia como AAAA-MM-DD')),
    busca: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    contatoId: z.optional(idSchema),
  }),
  response: z.object({ pedidos: z.array(pedidoSchema), proximoCursor: listCursorSchema }),
  fallbackError: 'Erro ao carregar pedidos',
})

export const pedidoRoute = defineRoute({
  method: 'GET',
  path: '/pedidos/:id',
  permission,
  params: idParamsSchema,
  response: pedidoResponse,
  fallbackError: 'Erro ao carregar o pedido',
})

/** The order that the customer writes in the chat, as far as it is. Null: there is none. */
export const carrinhoRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas/:id/carrinho',
  permission,
  params: idParamsSchema,
  response: z.object({ carrinho: z.nullable(carrinhoSchema) }),
  fallbackError: 'Erro ao carregar o pedido em montagem',
})

/** A person writes the order for the customer. Throws `carrinhoMudou` with the items that cannot be sold so. */
export const criarPedidoRoute = defineRoute({
  method: 'POST',
  path: '/pedidos',
  permission,
  body: z.object({
    conversaId: idSchema,
    itens: z
      .array(itemPedidoInputSchema)
      .check(z.minLength(1, 'O pedido precisa de um produto'), z.maxLength(ITENS_MAXIMO)),
    entrega: entregaInputSchema,
    pagamento: pagamentoInputSchema,
    descontoCentavos: z.optional(centavosSchema),
    observacao: z.optional(z.string().check(z.trim(), z.maxLength(500))),
  }),
  response: pedidoResponse,
  status: 201,
  fallbackError: 'Erro ao criar o pedido',
})

export const statusPedidoRoute = defineRoute({
  method: 'PUT',
  path: '/pedidos/:id/status',
  permission,
  params: idParamsSchema,
  body: z.object({ status: statusPedidoSchema }),
  response: pedidoResponse,
  fallbackError: 'Erro ao mover o pedido',
})

export const pagamentoPedidoRoute = defineRoute({
  method: 'PUT',
  path: '/pedidos/:id/pagamento',
  permission,
  params: idParamsSchema,
  body: z.object({ estado: z.enum(ESTADOS_PAGAMENTO) }),
  response: pedidoResponse,
  fallbackError: 'Erro ao salvar o pagamento',
})

export const pixPedidoRoute = defineRoute({
  method: 'GET',
  path: '/pedidos/:id/pix',
  permission,
  params: idParamsSchema,
  response: z.object({ copiaECola: z.string(), valorCentavos: z.int(), txid: z.string() }),
  fallbackError: 'Erro ao gerar o código PIX',
})

/** `escpos`: the bytes for a printer. `largura` counts signs of a line. */
export const cupomPedidoRoute = defineRoute({
  method: 'GET',
  path: '/pedidos/:id/cupom',
  permission,
  params: idParamsSchema,
  query: z.object({
    formato: z._default(z.enum(['texto', 'escpos']), 'texto'),
    largura: z._default(z.enum(['32', '48']), '48'),
  }),
  responseType: 'text/plain',
  bytesWhen: { formato: 'escpos' },
  response: z.string(),
  fallbackError: 'Erro ao gerar o cupom da cozinha',
})

/** Confirms orders that a bank statement (OFX or CSV, field `arquivo`, up to 5 MB) shows as paid. `simular` writes nothing. */
export const extratoRoute = defineRoute({
  method: 'POST',
  path: '/pedidos/extrato',
  permission: 'lojaWhatsapp',
  deniesOperators: true,
  query: z.object({ simular: z._default(z.enum(['true', 'false']), 'false') }),
  bodyType: 'multipart',
  response: extratoSchema,
  fallbackError: 'Erro ao conferir o extrato',
})
