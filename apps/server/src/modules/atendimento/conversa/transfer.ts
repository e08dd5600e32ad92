import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { type ConfigDeps, holdSetor } from '#modules/configuracao/index.ts'
import { findServed, updateTransferred } from '#modules/conversas/index.ts'
import { type ActDeps, applyToBot, getAttended, requireChanged } from './change.ts'

/** Puts the conversa into the queue of another setor. Throws `setorDesconhecido`. */
export function transferConversa(
  deps: ActDeps & ConfigDeps,
  { contaId }: LoginSession,
  { id, setor }: { readonly id: string; readonly setor: string },
): Promise<Conversa> {
  const ref = { contaId, id }
  return deps.db.transaction(contaId, async (tx) => {
    if ((await findServed(tx, contaId, id)) === null) throw new AppError('naoEncontrado')
    await requireSetor(tx, deps, contaId, setor)
    await applyToBot(tx, deps, ref, (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }))
    await requireChanged(tx, ref, await updateTransferred(tx, contaId, id, setor))
    const event = { userId: contaId, conversaId: id, novoSetor: setor }
    tx.afterCommit(() => deps.realtime.publish(contaId, 'conversaTransferida', event))
    return getAttended(tx, ref)
  })
}

/** Holds the setor until the transaction ends. A switched-off setor is accepted. Throws `setorDesconhecido`. */
export async function requireSetor(tx: Tx, deps: ConfigDeps, contaId: string, setorId: string): Promise<Setor> {
  const setor = await holdSetor(tx, deps, contaId, setorId)
  if (setor === null) throw new AppError('setorDesconhecido')
  return setor
}
