import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import type { LoginSession } from '#http/authentication.ts'
import { audienceOf, updateTaken } from '#modules/conversas/index.ts'
import { type ActDeps, applyAct, type ConversaRef, getAttended, refOf } from './change.ts'

export type ActingOperador = Pick<LoginSession, 'usuarioId' | 'nome' | 'setores'>

type TakeDeps = Pick<ActDeps, 'clock' | 'realtime' | 'applyEventWith'>

/** The first operador wins. Taking an own conversa again succeeds. */
export function takeConversa(deps: ActDeps, session: LoginSession, id: string): Promise<Conversa> {
  const ref = refOf(session, id)
  return deps.db.transaction(
    ref.contaId,
    (tx) => takeAndRead(tx, deps, { ...ref, reader: session }, () => getAttended(tx, ref)),
    'indices',
  )
}

/** Takes the conversa in the caller's transaction. */
export async function takeConversaIn(
  tx: Tx,
  deps: TakeDeps,
  ref: Pick<ConversaRef, 'contaId' | 'id'>,
  reader: ActingOperador,
): Promise<void> {
  await takeAndRead(tx, deps, { ...ref, reader }, () => Promise.resolve())
}

async function takeAndRead<T>(
  tx: Tx,
  deps: TakeDeps,
  ref: ConversaRef & { readonly reader: ActingOperador },
  read: () => Promise<T>,
): Promise<T> {
  const { contaId, id } = ref
  const { usuarioId: operadorId, nome: operador } = ref.reader
  const { served, result } = await applyAct(tx, deps, ref, {
    event: (base) => ({ tipo: 'atendenteAssumiu', ...base }),
    update: () => updateTaken(tx, contaId, { id, operadorId, operador, em: deps.clock.now() }),
    read,
  })
  const event = { userId: contaId, conversaId: id, operadorId, operador }
  tx.afterCommit(() => deps.realtime.publishConversa(contaId, 'conversaAssumida', event, audienceOf(served)))
  return result
}
