import { Readable } from 'node:stream'
import { renderSVG } from 'uqr'
import {
  cardapioRoute,
  entregaCardapioRoute,
  enviarCarrinhoRoute,
  qrCardapioRoute,
} from '@balcao/contract/routes/cardapio'
import { entregaCentavosOf } from '@balcao/engine/pedidos/totals'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { KeptAnswer } from '#http/kept-answer.ts'
import { createHourlyLimit } from '#http/limits/hourly-limit.ts'
import { ipKey } from '#lib/ip-address.ts'
import { qrPng } from '#lib/qr-png.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { pageUrl } from './link.ts'
import { sendCart, type SendCartDeps } from './send-cart.ts'
import type { Shop, Shops } from './shop.ts'

const CARTS_PER_HOUR = 30
/** Pixels of a module: about 1,000 for the side of a code, enough to print. */
const PRINT_SCALE = 24

export function cardapioRoutes(deps: SendCartDeps & Pick<Deps, 'settings'>, shops: Shops): BoundRoute[] {
  const countCart = createHourlyLimit(CARTS_PER_HOUR)
  const answers = new WeakMap<Shop, KeptAnswer>()
  return [
    bind(cardapioRoute, async ({ params, request }) => {
      const shop = await shops.require(request, params.endereco)
      const answer = answers.get(shop) ?? new KeptAnswer(JSON.stringify(shop.cardapio), 'application/json')
      answers.set(shop, answer)
      return answer
    }),
    bind(entregaCardapioRoute, async ({ params, body, request }) => {
      const { config } = await shops.require(request, params.endereco)
      // Free delivery depends on the cart, which the page knows.
      const loja = { ...config.loja, entrega: { ...config.loja.entrega, gratisAcimaCentavos: null } }
      const centavos = entregaCentavosOf(loja, { tipo: 'entrega', ...body }, 0)
      if (centavos === null) throw new AppError('foraDaEntrega')
      return { centavos }
    }),
    bind(enviarCarrinhoRoute, async ({ params, body, request, ip }) => {
      const shop = await shops.require(request, params.endereco)
      return sendCart(deps, shop, body, () => countCart(ipKey(ip)))
    }),
    bind(qrCardapioRoute, async ({ sessao: { contaId }, query }) => {
      const { config } = await deps.db.read(contaId, (tx) => loadConfig(tx, deps, contaId))
      const { endereco } = config.loja.pagina
      if (endereco === '') throw new AppError('naoEncontrado')
      const url = pageUrl(deps, endereco)
      return Readable.from([
        query.formato === 'png' ? qrPng(url, PRINT_SCALE) : Buffer.from(renderSVG(url, { border: 4, pixelSize: 16 })),
      ])
    }),
  ]
}
