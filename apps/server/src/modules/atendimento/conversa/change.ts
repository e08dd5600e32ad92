import type { Conversa, Situacao } from '@balcao/contract/entities/conversa'
import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import {
  findAttendedConversa,
  findServed,
  lockContatosOf,
  type AnyReader,
  SERVER_READER,
  type ServedConversa,
} from '#modules/conversas/index.ts'

export type ActDeps = Pick<Deps, 'db' | 'clock' | 'realtime' | 'applyEventWith'>

export interface ConversaRef {
  readonly contaId: string
  readonly id: string
  readonly reader: AnyReader
}

export function refOf(session: LoginSession, id: string): ConversaRef {
  return { contaId: session.contaId, id, reader: session }
}

/** The id of an operador. Null for the owner and administrators, who may also act on conversas of others. */
export function ownerOrId({ tipo, usuarioId }: LoginSession): string | null {
  return tipo === 'operador' ? usuarioId : null
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

export function requireOwn({ operadorId, operador }: ServedConversa, ownId: string): void {
  if (operadorId !== null && operadorId !== ownId) throw new AppError('conversaAssumida', { operadorId, operador })
}

/** An act of an operador on an open conversa. */
export interface Act {
  readonly ref: ConversaRef
  /** Finds the conversa before its contato is locked. Default: `requireOpen`. */
  readonly find?: (tx: Tx) => Promise<ServedConversa>
  readonly event: Parameters<Deps['applyEventIn']>[3]
  /** Updates the row of the conversa. Null if another operador was faster. */
  readonly update: (tx: Tx) => Promise<Situacao | null>
  /** The error if `update` returned null. Default: another operador was faster. */
  readonly refusal?: (served: ServedConversa) => AppError
  /** Runs after the commit. Receives the conversa as it was before the act, read under the lock, and what it became. */
  readonly publish: (served: ServedConversa, situacao: Situacao) => void
}

type ApplyDeps = Pick<ActDeps, 'applyEventWith'>

const findTarget = (tx: Tx, { ref, find }: Act): Promise<ServedConversa> =>
  find === undefined ? requireOpen(tx, ref) : find(tx)

/**
 * Passes the act of an operador to the bot, which locks the contato. The row of the conversa is updated after that;
 * customer messages use the same order, so there is no deadlock. Update and answer are sent together with the bot's
 * writes. Returns the answer of `read`.
 */
export async function applyAct<T>(tx: Tx, deps: ApplyDeps, act: Act, read: () => Promise<T>): Promise<T> {
  return applyTo(tx, deps, { act, target: await findTarget(tx, act), read })
}

/**
 * Applies acts on different conversas of one conta, with as many round trips as a single act. Returns the answers of
 * `read`, which is sent behind the writes of its act. Throws the error of one of the acts. All contatos are locked before
 * the first act locks the daily counter, in the order of all transactions, so there is no deadlock.
 */
export async function applyActs<T>(
  tx: Tx,
  deps: ApplyDeps,
  {
    contaId,
    acts,
    read,
  }: { readonly contaId: string; readonly acts: readonly Act[]; readonly read: (act: Act) => Promise<T> },
): Promise<T[]> {
  const targets = await Promise.all(acts.map(async (act) => ({ act, target: await findTarget(tx, act) })))
  const ids = acts.map(({ ref }) => ref.id)
  // Not awaited: the acts run behind it on the same connection.
  const locked = acts.length === 1 ? Promise.resolve() : lockContatosOf(tx, { contaId, ids })
  const applied = targets.map(({ act, target }) => applyTo(tx, deps, { act, target, read: () => read(act) }))
  // Waits for all, so that no act sends a statement behind the ROLLBACK that follows the error of another one.
  await Promise.allSettled([locked, ...applied])
  await locked
  return Promise.all(applied)
}

interface TargetedAct<T> {
  readonly act: Act
  readonly target: ServedConversa
  readonly read: () => Promise<T>
}

async function applyTo<T>(tx: Tx, deps: ApplyDeps, { act, target, read }: TargetedAct<T>): Promise<T> {
  const { ref, event, update, refusal = defaultRefusal, publish } = act
  const contato = { contaId: ref.contaId, contatoId: target.contatoId }
  const [served, changed, result] = await deps.applyEventWith(tx, contato, event, () =>
    inOrder([requireOpen(tx, ref), update(tx), read()]),
  )
  if (changed === null) throw refusal(await requireOpen(tx, ref))
  tx.afterCommit(() => publish(served, changed))
  return result
}

/** Why the conditional update of an act changed no row: another operador was faster. */
function defaultRefusal({ operadorId, operador }: ServedConversa): AppError {
  return operadorId === null ? new AppError('conflito') : new AppError('conversaAssumida', { operadorId, operador })
}

/** The conversa after an act. The operador reads this answer even if the act closed the conversa to them. */
export async function getAttended(tx: Tx, { contaId, id }: ConversaRef): Promise<Conversa> {
  const conversa = await findAttendedConversa(tx, contaId, id, SERVER_READER)
  if (conversa === null) throw new AppError('naoEncontrado')
  return conversa
}
