import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { findAttendedConversa, findServed, type ServedConversa } from '#modules/conversas/index.ts'

export type ActDeps = Pick<Deps, 'db' | 'clock' | 'realtime' | 'applyEventWith'>

export interface ConversaRef {
  readonly contaId: string
  readonly id: string
  readonly reader: ConversaReader
}

export function refOf(session: LoginSession, id: string): ConversaRef {
  return { contaId: session.contaId, id, reader: session }
}

/**
 * Throws `naoEncontrado` for an unknown conversa, one of another conta, one of the bot or one closed to the reader,
 * and `conversaFinalizada` for a finished one.
 */
export async function requireOpen(tx: Tx, { contaId, id, reader }: ConversaRef): Promise<ServedConversa> {
  return openOf(await findServed(tx, contaId, id, reader))
}

export function openOf(served: ServedConversa | null): ServedConversa {
  if (served === null) throw new AppError('naoEncontrado')
  if (served.status === 'finalizada') throw new AppError('conversaFinalizada')
  return served
}

export function requireOwn({ operador_id: operadorId, operador }: ServedConversa, ownId: string): void {
  if (operadorId !== null && operadorId !== ownId) throw new AppError('conversaAssumida', { operadorId, operador })
}

interface Act<T> {
  /** Finds the conversa before its contato is locked. Default: `requireOpen`. */
  readonly find?: () => Promise<ServedConversa>
  readonly event: Parameters<Deps['applyEventIn']>[3]
  /** Updates the row of the conversa. False if another operador was faster. */
  readonly update: () => Promise<boolean>
  /** Reads the answer. */
  readonly read: () => Promise<T>
}

/**
 * Passes the act of an operador to the bot, which locks the contato. The row of the conversa is updated after that;
 * customer messages use the same order, so there is no deadlock. Update and answer are sent together with the bot's
 * writes. Returns the conversa as read under the lock, because another operador may have transferred it meanwhile.
 */
export async function applyAct<T>(
  tx: Tx,
  deps: Pick<ActDeps, 'applyEventWith'>,
  ref: ConversaRef,
  { find = () => requireOpen(tx, ref), event, update, read }: Act<T>,
): Promise<{ readonly served: ServedConversa; readonly result: T }> {
  const { contato_id: contatoId } = await find()
  const target = { contaId: ref.contaId, contatoId }
  const [served, changed, result] = await deps.applyEventWith(tx, target, event, () =>
    Promise.all([requireOpen(tx, ref), update(), read()]),
  )
  await requireChanged(tx, ref, changed)
  return { served, result }
}

/** Throws if the conditional update of an act changed no row, because another operador was faster. */
async function requireChanged(tx: Tx, ref: ConversaRef, changed: boolean): Promise<void> {
  if (changed) return
  const { operador_id: operadorId, operador } = await requireOpen(tx, ref)
  throw operadorId === null ? new AppError('conflito') : new AppError('conversaAssumida', { operadorId, operador })
}

/** The conversa after an act. The operador reads this answer even if the act closed the conversa to them. */
export async function getAttended(tx: Tx, { contaId, id }: ConversaRef): Promise<Conversa> {
  const conversa = await findAttendedConversa(tx, contaId, id, null)
  if (conversa === null) throw new AppError('naoEncontrado')
  return conversa
}
