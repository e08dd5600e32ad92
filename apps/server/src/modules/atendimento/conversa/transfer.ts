import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { type ConfigDeps, holdSetor } from '#modules/configuracao/index.ts'
import { audienceOf, findServed, updateTransferred } from '#modules/conversas/index.ts'
import { type ActDeps, applyToBot, getAttended, refOf, requireChanged } from './change.ts'

/**
 * Puts the conversa into the queue of another setor, also of one whose conversas the operador may not read. Both
 * setores receive the event. Throws `setorDesconhecido`.
 */
export function transferConversa(
  deps: ActDeps & ConfigDeps,
  session: LoginSession,
  { id, setor }: { readonly id: string; readonly setor: string },
): Promise<Conversa> {
  const ref = refOf(session, id)
  const { contaId } = ref
  return deps.db.transaction(contaId, async (tx) => {
    if ((await findServed(tx, contaId, id, session)) === null) throw new AppError('naoEncontrado')
    await requireSetor(tx, deps, contaId, setor)
    const served = await applyToBot(tx, deps, ref, (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }))
    await requireChanged(tx, ref, await updateTransferred(tx, contaId, id, setor))
    const event = { userId: contaId, conversaId: id, novoSetor: setor }
    const { setores, operadorId } = audienceOf(served)
    const audience = { setores: [...setores, setor], operadorId }
    tx.afterCommit(() => deps.realtime.publishConversa(contaId, 'conversaTransferida', event, audience))
    return getAttended(tx, ref)
  })
}

/** Holds the setor until the transaction ends. A switched-off setor is accepted. Throws `setorDesconhecido`. */
export async function requireSetor(tx: Tx, deps: ConfigDeps, contaId: string, setorId: string): Promise<Setor> {
  const setor = await holdSetor(tx, deps, contaId, setorId)
  if (setor === null) throw new AppError('setorDesconhecido')
  return setor
}
