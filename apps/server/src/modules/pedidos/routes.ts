import { Readable } from 'node:stream'
import type { QueryOf } from '@balcao/contract/define-route'
import {
  carrinhoRoute,
  criarPedidoRoute,
  cupomPedidoRoute,
  extratoRoute,
  pagamentoPedidoRoute,
  pedidoRoute,
  pedidosRoute,
  pixPedidoRoute,
  statusPedidoRoute,
} from '@balcao/contract/routes/pedidos'
import { pixCode } from '@balcao/engine/pedidos/pix'
import { ticketBytes, ticketText } from '@balcao/engine/pedidos/ticket'
import { wordsOf } from '@balcao/engine/rules/text'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { cutPage, limitSearch, pageOf } from '#http/page.ts'
import { isUuid } from '#lib/text.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { readCarrinho } from './carrinho.ts'
import { createPedido, type PedidosDeps } from './create-pedido.ts'
import { cuponsRoutes } from './cupons.ts'
import { createStatementCheck } from './extrato/check-statement.ts'
import { markPagamento, movePedido } from './move-pedido.ts'
import { findPedido, listPedidos, type PedidoFilter } from './repository.ts'

const PAGE = 40
const NO_ID = '00000000-0000-0000-0000-000000000000'
const TOO_SLOW = 'A busca demorou demais. Escolha um dia.'

export function pedidosRoutes(deps: PedidosDeps): BoundRoute[] {
  const { db } = deps
  const checkStatement = createStatementCheck(deps)
  return [
    ...cuponsRoutes(deps),
    bind(pedidosRoute, async ({ sessao, query }) => {
      const { contaId } = requireShop(sessao)
      const page = pageOf(query, PAGE)
      const rows = await db.read(contaId, (tx) =>
        limitSearch(tx, TOO_SLOW, (limited) => listPedidos(limited, contaId, filterOf(query), page)),
      )
      const { itens: pedidos, proximoCursor = null } = cutPage(rows, page)
      return { pedidos, proximoCursor }
    }),
    bind(pedidoRoute, async ({ sessao, params }) => {
      const { contaId } = requireShop(sessao)
      return { pedido: await db.read(contaId, (tx) => requirePedido(tx, contaId, params.id)) }
    }),
    bind(carrinhoRoute, async ({ sessao, params }) => ({
      carrinho: await db.read(sessao.contaId, (tx) => readCarrinho(tx, requireShop(sessao), params.id)),
    })),
    bind(criarPedidoRoute, async ({ sessao, body }) => ({
      pedido: await createPedido(deps, requireShop(sessao), body),
    })),
    bind(statusPedidoRoute, async ({ sessao, params, body }) => ({
      pedido: await movePedido(deps, requireShop(sessao), { ...params, ...body }),
    })),
    bind(pagamentoPedidoRoute, async ({ sessao, params, body }) => ({
      pedido: await markPagamento(deps, requireShop(sessao), { ...params, ...body }),
    })),
    bind(extratoRoute, ({ sessao, query, request }) => checkStatement(request, sessao, query.simular === 'true')),
    bind(cupomPedidoRoute, ({ sessao, params, query }) => {
      const { contaId, empresa } = requireShop(sessao)
      return db.read(contaId, async (tx) => {
        const pedido = await requirePedido(tx, contaId, params.id)
        const options = { largura: Number(query.largura), empresa, fuso: await readTimeZone(tx, { contaId }) }
        const content = query.formato === 'texto' ? ticketText(pedido, options) : ticketBytes(pedido, options)
        return Readable.from([Buffer.from(content)])
      })
    }),
    bind(pixPedidoRoute, ({ sessao, params }) => {
      const { contaId, empresa } = requireShop(sessao)
      return db.read(contaId, async (tx) => {
        const { totalCentavos: valorCentavos, txid } = await requirePedido(tx, contaId, params.id)
        const { config } = await loadConfig(tx, deps, contaId)
        const copiaECola = pixCode(config.loja.pix, { valorCentavos, txid }, empresa)
        if (copiaECola === null) throw new AppError('semChavePix')
        return { copiaECola, valorCentavos, txid }
      })
    }),
  ]
}

/** Operadores lack the component, and move the orders of an account that has it. */
function requireShop<S extends LoginSession>(session: S): S {
  if (session.tipo !== 'admin' && !session.componentes.lojaWhatsapp) throw new AppError('semPermissao')
  return session
}

async function requirePedido(tx: Tx, contaId: string, id: string) {
  const pedido = isUuid(id) ? await findPedido(tx, contaId, id) : null
  if (pedido === null) throw new AppError('naoEncontrado')
  return pedido
}

function filterOf({ status, dia, busca = '', contatoId }: QueryOf<typeof pedidosRoute>): PedidoFilter {
  const digits = busca.replace(/\D/g, '')
  const isNumber = /^#?\d{1,6}$/.test(busca.trim())
  return {
    // An id that no row can have finds nothing.
    contatoId: contatoId === undefined ? null : isUuid(contatoId) ? contatoId : NO_ID,
    ...{ status: status ?? null, dia: dia ?? null, words: wordsOf(busca).map((word) => `%${word}%`) },
    numero: isNumber ? Number(digits) : null,
    phone: digits.length >= 4 && !/\p{L}/u.test(busca) ? `%${digits}%` : null,
  }
}
