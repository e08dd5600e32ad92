import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import {
  carrinhoAceitoSchema,
  carrinhoInputSchema,
  cardapioSchema,
  enderecoEntregaSchema,
  enderecoParamsSchema,
} from '#entities/cardapio.ts'

/**
 * The menu on the web. Without login: an unknown address, a page that is off, a shop without the component and an
 * inactive owner answer 404.
 */

export const cardapioRoute = defineRoute({
  method: 'GET',
  path: '/publico/lojas/:endereco',
  permission: 'publico',
  params: enderecoParamsSchema,
  kept: true,
  response: cardapioSchema,
  fallbackError: 'Erro ao carregar o cardápio',
})

/** The fee of an address. Throws `foraDaEntrega`. */
export const entregaCardapioRoute = defineRoute({
  method: 'POST',
  path: '/publico/lojas/:endereco/entrega',
  permission: 'publico',
  params: enderecoParamsSchema,
  body: enderecoEntregaSchema,
  response: z.object({ centavos: z.int() }),
  status: 200,
  fallbackError: 'Erro ao calcular a entrega',
})

/** Throws `carrinhoMudou` with the items that changed, `foraDaEntrega`, `lojaFechada` and `muitasTentativas`. */
export const enviarCarrinhoRoute = defineRoute({
  method: 'POST',
  path: '/publico/lojas/:endereco/carrinhos',
  permission: 'publico',
  params: enderecoParamsSchema,
  body: carrinhoInputSchema,
  response: carrinhoAceitoSchema,
  status: 201,
  fallbackError: 'Erro ao enviar o pedido',
})

/** The QR code of the page, for counter and table. Throws `naoEncontrado` while the shop has no address. */
export const qrCardapioRoute = defineRoute({
  method: 'GET',
  path: '/loja/pagina/qr',
  permission: 'lojaWhatsapp',
  deniesOperators: true,
  query: z.object({ formato: z._default(z.enum(['svg', 'png']), 'svg') }),
  responseType: 'image/svg+xml',
  bytesWhen: { formato: 'png' },
  bytesType: 'image/png',
  response: z.string(),
  fallbackError: 'Erro ao gerar o QR code',
})
