import type { Deps } from '#deps.ts'
import { type EraseDeps, eraseContato, requireNoLegalHold } from '#modules/lgpd/index.ts'
import { deleteVisitors, findContato } from './repository.ts'
import type { ChatVisit } from './visit.ts'

/**
 * Erases the visitor with all devices of the identity, and the contato as an erasure on request does. Throws `conflito`
 * under a legal hold.
 */
export async function eraseVisitor(deps: EraseDeps & Pick<Deps, 'webchat'>, visit: ChatVisit): Promise<void> {
  const { contaId, endereco } = visit
  const contato = await deps.db.transaction(contaId, async (tx) => {
    await requireNoLegalHold(tx, contaId)
    await deleteVisitors(tx, { contaId, endereco })
    return findContato(tx, { contaId, endereco })
  })
  const requester = { quem: null, por: 'pelo chat do site' }
  if (contato !== null) await eraseContato(deps, contato.contatoId, { contaId, requester })
  deps.webchat.feed.ended(visit)
}
