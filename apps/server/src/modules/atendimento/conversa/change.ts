import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import {
  type ActedConversa,
  findAttendedConversas,
  findServed,
  lockContatosOf,
  type ServedConversa,
} from '#modules/conversas/index.ts'
import { type AnyReader, audienceOf, mayReadRow } from '#modules/leitores/index.ts'

/**
 * Acts on an open conversa: take, assign, transfer, release and end. Each passes an event to the bot, which locks the
 * contato, and updates the row of the conversa behind it. Customer messages use the same order, so there is no deadlock.
 */

export type ActDeps = Pick<Deps, 'db' | 'clock' | 'realtime' | 'sendEventIn'>

export interface ConversaRef {
  readonly contaId: string
  readonly id: string
  readonly reader: AnyReader
}

export function refOf(session: LoginSession, id: string): ConversaRef {
  return { contaId: session.contaId, id, reader: session }
}

/** Null for the owner and administrators, who may also act on conversas of others. */
export function ownerOrId({ tipo, usuarioId }: LoginSession): string | null {
  return tipo === 'operador' ? usuarioId : null
}

/** Throws `naoEncontrado`, also for one closed to the reader, and `conversaFinalizada`. */
export async function requireOpen(tx: Tx, { contaId, id, reader }: ConversaRef): Promise<ServedConversa> {
  return openOf(await findServed(tx, contaId, id, reader))
}

export function openOf(served: ServedConversa | null): ServedConversa {
  if (served === null) throw new AppError('naoEncontrado')
  if (served.status === 'finalizada') throw new AppError('conversaFinalizada')
  return served
}

/** Throws if another act was faster, or if the reader may not read the conversa as it was before. */
export async function requireActed<Acted extends ActedConversa>(
  tx: Tx,
  ref: ConversaRef,
  acted: Acted | null,
  refusalOf: () => Promise<AppError> = () => otherWasFaster(tx, ref),
): Promise<Acted> {
  if (acted === null) throw await refusalOf()
  if (!mayReadRow(ref.reader, acted.before)) throw new AppError('naoEncontrado')
  return acted
}

async function otherWasFaster(tx: Tx, ref: ConversaRef): Promise<AppError> {
  const { operadorId, operador } = await requireOpen(tx, ref)
  return operadorId === null ? new AppError('conflito') : new AppError('conversaAssumida', { operadorId, operador })
}

/** In the order of `ids`. The operador reads this answer even if the act closed the conversa to them. */
export async function readAttended(tx: Tx, contaId: string, ids: readonly string[]): Promise<Conversa[]> {
  return (await findAttendedConversas(tx, contaId, ids)).map((conversa) => {
    if (conversa === null) throw new AppError('naoEncontrado')
    return conversa
  })
}

export interface Act {
  readonly id: string
  readonly apply: (tx: Tx) => Promise<void>
}

/**
 * All contatos are locked before the first act locks the daily counter, in the order of all transactions, so there is
 * no deadlock.
 */
export async function applyTogether(tx: Tx, contaId: string, acts: readonly Act[]): Promise<void> {
  const applied = acts.map(({ apply }) => apply(tx))
  // Sent behind the statements that find the conversas, and before the writes of the acts.
  const locked = acts.length === 1 ? null : lockContatosOf(tx, { contaId, ids: acts.map(({ id }) => id) })
  // Waits for all, so that no act sends a statement behind the ROLLBACK that follows the error of another one.
  await Promise.allSettled([locked, ...applied])
  await locked
  await Promise.all(applied)
}

/**
 * Shows colleagues that the person types, and the customer whom the person serves. A test conversa has no phone. Does
 * nothing in a finished conversa and in one of a colleague: the signal left before the panel received that act.
 */
export async function signalTyping(
  { db, bots, realtime }: Pick<Deps, 'db' | 'bots' | 'realtime'>,
  session: LoginSession,
  id: string,
): Promise<void> {
  const { contaId, usuarioId: operadorId, nome: operador } = session
  const served = await db.read(contaId, (tx) => findServed(tx, contaId, id, session))
  if (served === null) throw new AppError('naoEncontrado')
  if (served.status === 'finalizada' || (served.operadorId ?? operadorId) !== operadorId) return
  const event = { userId: contaId, conversaId: id, operadorId, operador }
  realtime.publishConversa(contaId, 'colegaDigitando', event, audienceOf(served))
  const { linhaId, endereco } = served
  if (!served.teste && served.operadorId === operadorId) bots.typing({ contaId, linhaId }, endereco)
}
