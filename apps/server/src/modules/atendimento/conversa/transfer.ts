import type { Setor } from '@balcao/contract/entities/config'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { type ConfigDeps, holdSetor } from '#modules/configuracao/index.ts'
import { audienceOf, findServed, updateTransferred } from '#modules/conversas/index.ts'
import { type Act, type ActDeps, type ConversaRef, openOf } from './change.ts'

/**
 * Puts the conversa into the queue of another setor, also of one whose conversas the operador may not read. Both
 * setores receive the event. Throws `setorDesconhecido`.
 */
export function transferConversa(deps: Pick<ActDeps, 'realtime'> & ConfigDeps, ref: ConversaRef, setor: string): Act {
  const { contaId, id, reader } = ref
  return {
    ref,
    find: async (tx) => {
      // Sent in one round trip. An unknown conversa is refused first, then the setor, then a finished conversa.
      const [current, held] = await Promise.all([
        findServed(tx, contaId, id, reader),
        holdSetor(tx, deps, contaId, setor),
      ])
      if (current !== null && held === null) throw new AppError('setorDesconhecido')
      return openOf(current)
    },
    event: (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }),
    update: (tx) => updateTransferred(tx, contaId, id, setor),
    publish: (served, situacao) => {
      const event = { userId: contaId, conversaId: id, novoSetor: setor, situacao }
      const { setores, operadorId } = audienceOf(served)
      const audience = { setores: [...setores, setor], operadorId }
      deps.realtime.publishConversa(contaId, 'conversaTransferida', event, audience)
    },
  }
}

/** Holds the setor until the transaction ends. A switched-off setor is accepted. Throws `setorDesconhecido`. */
export async function requireSetor(tx: Tx, deps: ConfigDeps, contaId: string, setorId: string): Promise<Setor> {
  const setor = await holdSetor(tx, deps, contaId, setorId)
  if (setor === null) throw new AppError('setorDesconhecido')
  return setor
}
