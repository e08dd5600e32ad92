import type { BodyOf } from '@balcao/contract/define-route'
import type { Config } from '@balcao/contract/entities/config'
import type { Pedido } from '@balcao/contract/entities/pedido'
import type { criarPedidoRoute } from '@balcao/contract/routes/pedidos'
import { pixCode, txidOf } from '@balcao/engine/pedidos/pix'
import { entregaCentavosOf, subtotalOf, sumsOf } from '@balcao/engine/pedidos/totals'
import { formatReais } from '@balcao/engine/rules/loja'
import type { Deps } from '#deps.ts'
import { storedLine } from '#db/statement/line.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { localDay } from '#lib/time.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { findServed, lockContatosOf } from '#modules/conversas/index.ts'
import { queueTickets } from './impressao/print-due.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { insertPedidos } from './repository.ts'
import { sellItens } from './sell.ts'

export type PedidosDeps = Pick<Deps, 'db' | 'bots' | 'clock' | 'ids' | 'vault' | 'realtime' | 'applyEventIn'>

/**
 * A person writes an order for the customer of a conversa. Throws `naoEncontrado`, `carrinhoMudou`, `foraDaEntrega` and
 * `dadosInvalidos`.
 */
export function createPedido(
  deps: PedidosDeps,
  session: LoginSession,
  {
    conversaId,
    itens: wanted,
    entrega,
    pagamento,
    descontoCentavos = 0,
    observacao = '',
  }: BodyOf<typeof criarPedidoRoute>,
): Promise<Pedido> {
  const { contaId, usuarioId: autorId } = session
  return deps.db.transaction(contaId, async (tx) => {
    const served = await findServed(tx, contaId, conversaId, session)
    if (served === null) throw new AppError('naoEncontrado')
    const { contatoId, linhaId } = served
    const { config } = await loadConfig(tx, deps, contaId)
    await lockContatosOf(tx, { contaId, ids: [conversaId] })
    const itens = await sellItens(tx, deps, contaId, wanted)
    const subtotal = subtotalOf(itens)
    const fee = entregaCentavosOf(config.loja, entrega, subtotal)
    if (fee === null) throw new AppError('foraDaEntrega')
    const id = deps.ids.uuid()
    const now = deps.clock.now()
    const dia = localDay(now, config.atendimento.horario.fuso)
    const made = {
      ...{ contaId, id, dia, contatoId, conversaId },
      ...{ linhaId: storedLine({ contaId, linhaId }), cliente: nameOrPhone(served), itens, entrega, observacao, now },
      ...sumsOf(subtotal, fee, descontoCentavos),
      ...{ forma: pagamento.forma, trocoCentavos: pagamento.trocoParaCentavos ?? null },
      ...{ txid: txidOf(id), cupomId: null },
    }
    const [stored] = await insertPedidos(tx, [made])
    if (stored === undefined) throw new Error('order not stored')
    const { pedido } = stored
    await queueTickets(tx, [{ contaId, pedidoId: id, config, now }])
    await sendStatus(tx, deps, { config, pedido, contaId, linhaId, ...pixOf(config, pedido, session.empresa) })
    tx.afterCommit(() => deps.realtime.publish(contaId, 'pedidoNovo', { userId: contaId, pedido, autorId }))
    return pedido
  })
}

function pixOf({ loja }: Config, { pagamento, totalCentavos, txid }: Pedido, empresa: string): Pick<Told, 'pix'> {
  if (pagamento.forma !== 'pix') return {}
  const pix = pixCode(loja.pix, { valorCentavos: totalCentavos, txid }, empresa)
  return pix === null ? {} : { pix }
}

interface Told {
  readonly config: Config
  readonly pedido: Pedido
  readonly contaId: string
  readonly linhaId: string
  /** The code to copy. Absent: none is sent. */
  readonly pix?: string
}

/**
 * Sends the text of the order's step in the bot's name, and the PIX code. An erased customer gets nothing, and neither
 * does anyone from an empty text without a code.
 */
export async function sendStatus(
  tx: Tx,
  { applyEventIn }: Pick<Deps, 'applyEventIn'>,
  { config, pedido, contaId, linhaId, pix }: Told,
): Promise<void> {
  const { id, contatoId, status, numero, totalCentavos } = pedido
  const texto = config.loja.mensagens[status]
    .replaceAll('{pedido}', () => String(numero))
    .replaceAll('{total}', () => formatReais(totalCentavos / 100))
  if ((texto.trim() === '' && pix === undefined) || contatoId === '') return
  const notice = { tipo: 'avisoAutomatico', texto, ...(status === 'novo' ? { pedidoId: id } : {}) } as const
  await applyEventIn(tx, { contaId, linhaId, contatoId }, (base) => ({
    ...{ ...notice, ...base },
    ...(pix === undefined ? {} : { pix }),
  }))
}
