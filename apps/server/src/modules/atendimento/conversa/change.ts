import type { Conversa } from '@balcao/contract/entities/conversa'
import { findAttendedConversa } from '#modules/conversas/index.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type ServedConversa, findServed } from '#modules/atendimento/repository.ts'

export type ChangeDeps = Pick<Deps, 'db' | 'clock' | 'realtime' | 'applyEventIn'>

export interface ConversaRef {
  readonly contaId: string
  readonly id: string
}

export interface ConversaChange {
  readonly event: Parameters<Deps['applyEventIn']>[3]
  /** A conditional update. Returns false if another operador changed the conversa meanwhile. */
  readonly write: (tx: Tx) => Promise<boolean>
  /** Runs after the commit, after the bot's messages are published. */
  readonly publish: () => void
}

/**
 * Applies an action of an operador. The bot event locks the contato before the row of the conversa is updated;
 * customer messages use the same order, so there is no deadlock. If another operador was faster, it throws and the
 * transaction rolls back.
 */
export async function applyConversaChange(
  tx: Tx,
  deps: Pick<ChangeDeps, 'applyEventIn'>,
  { contaId, id }: ConversaRef,
  { event, write, publish }: ConversaChange,
): Promise<void> {
  const { contato_id: contatoId } = await requireOpen(tx, contaId, id)
  await deps.applyEventIn(tx, contaId, contatoId, event)
  if (!(await write(tx))) {
    const { operador_id: operadorId, operador } = await requireOpen(tx, contaId, id)
    throw operadorId === null ? new AppError('conflito') : new AppError('conversaAssumida', { operadorId, operador })
  }
  tx.afterCommit(publish)
}

export async function changeConversa(
  tx: Tx,
  deps: ChangeDeps,
  ref: ConversaRef,
  change: ConversaChange,
): Promise<Conversa> {
  await applyConversaChange(tx, deps, ref, change)
  const conversa = await findAttendedConversa(tx, ref.contaId, ref.id)
  if (conversa === null) throw new AppError('naoEncontrado')
  return conversa
}

/**
 * Throws `naoEncontrado` for an unknown conversa, one of another conta or one of the bot, and `conversaFinalizada`
 * for a finished one.
 */
export async function requireOpen(tx: Tx, contaId: string, id: string): Promise<ServedConversa> {
  const atendida = await findServed(tx, contaId, id)
  if (atendida === null) throw new AppError('naoEncontrado')
  if (atendida.status === 'finalizada') throw new AppError('conversaFinalizada')
  return atendida
}

export function requireOwn({ operador_id: operadorId, operador }: ServedConversa, ownId: string): void {
  if (operadorId !== null && operadorId !== ownId) throw new AppError('conversaAssumida', { operadorId, operador })
}
