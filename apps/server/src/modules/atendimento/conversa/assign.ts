import { audienceOf, SERVER_READER, updateAssigned } from '#modules/conversas/index.ts'
import type { Act, ActDeps, ConversaRef } from './change.ts'

interface Assignee {
  readonly id: string
  readonly nome: string
}

/** The server gives a waiting conversa to a person. */
export function assignConversa(
  { clock, realtime }: Pick<ActDeps, 'clock' | 'realtime'>,
  { contaId, id }: Pick<ConversaRef, 'contaId' | 'id'>,
  person: Assignee,
): Act {
  const { id: operadorId, nome: operador } = person
  return {
    ref: { contaId, id, reader: SERVER_READER },
    event: (base) => ({ tipo: 'atendenteAssumiu', ...base }),
    update: (tx) => updateAssigned(tx, { contaId, id, operadorId, operador, em: clock.now() }),
    publish: (served, situacao) => {
      const { naoLidas } = situacao
      const taken = { conversaId: id, operadorId, operador, automatica: true as const, naoLidas, situacao }
      const { setores } = audienceOf(served)
      realtime.publishConversa(contaId, 'conversaAssumida', { userId: contaId, ...taken }, { setores, operadorId })
    },
  }
}
