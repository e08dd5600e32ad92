import type { Pedido, StatusPedido } from '@balcao/contract/entities/pedido'
import { nextStatus } from '@balcao/engine/pedidos/status'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { returnStock } from '#modules/produtos/index.ts'
import { type PedidosDeps, sendStatus } from './create-pedido.ts'
import { type LockedPedido, lockPedido, updatePedido } from './repository.ts'

/**
 * Sends the text of the step, and returns the stock of a cancelled order. Throws `naoEncontrado` and `passoInvalido`.
 */
export function movePedido(
  deps: PedidosDeps,
  { contaId }: RequestSession,
  { id, status }: { readonly id: string; readonly status: StatusPedido },
): Promise<Pedido> {
  return deps.db.transaction(contaId, async (tx) => {
    const { pedido: before, linhaId } = await requirePedido(tx, contaId, id)
    if (!nextStatus(before).includes(status)) throw new AppError('passoInvalido')
    const estado = before.pagamento.estado
    const pedido = await updatePedido(tx, { contaId, id, status, estado, now: deps.clock.now() })
    const { config } = await loadConfig(tx, deps, contaId)
    await sendStatus(tx, deps, { config, pedido, contaId, linhaId })
    if (status === 'cancelado') await returnStock(tx, deps, { contaId, itens: pedido.itens })
    announce(tx, deps, contaId, pedido)
    return pedido
  })
}

/** Records the person in the audit trail. Throws `naoEncontrado`. */
export function markPagamento(
  deps: PedidosDeps,
  session: RequestSession,
  { id, estado }: { readonly id: string; readonly estado: Pedido['pagamento']['estado'] },
): Promise<Pedido> {
  return deps.db.transaction(session.contaId, (tx) => setPagamento(tx, deps, session, { id, estado }))
}

/** `por`: how the person knows it, for the trail. Throws `naoEncontrado`. */
export async function setPagamento(
  tx: Tx,
  deps: PedidosDeps,
  session: RequestSession,
  { id, estado, por }: { readonly id: string; readonly estado: Pedido['pagamento']['estado']; readonly por?: string },
): Promise<Pedido> {
  const { contaId } = session
  const { pedido: before } = await requirePedido(tx, contaId, id)
  if (before.pagamento.estado === estado) return before
  const pedido = await updatePedido(tx, { contaId, id, status: before.status, estado, now: deps.clock.now() })
  const how = por === undefined ? '' : `, ${por}`
  const detalhe = `Pedido nº ${pedido.numero}: de ${before.pagamento.estado} para ${estado}${how}.`
  await recordAuditoria(tx, deps, { acao: 'pagamentoDePedido', quem: session, detalhe })
  announce(tx, deps, contaId, pedido)
  return pedido
}

async function requirePedido(tx: Tx, contaId: string, id: string): Promise<LockedPedido> {
  const locked = isUuid(id) ? await lockPedido(tx, contaId, id) : null
  if (locked === null) throw new AppError('naoEncontrado')
  return locked
}

function announce(tx: Tx, { realtime }: PedidosDeps, contaId: string, pedido: Pedido): void {
  tx.afterCommit(() => realtime.publish(contaId, 'pedidoMudou', { userId: contaId, pedido }))
}
