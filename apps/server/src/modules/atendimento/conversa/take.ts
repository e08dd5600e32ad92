import type { Tx } from '#db/transaction.ts'
import type { LoginSession } from '#http/authentication.ts'
import { audienceOf, updateTaken } from '#modules/conversas/index.ts'
import { type Act, type ActDeps, applyAct, type ConversaRef } from './change.ts'

export type ActingOperador = Pick<LoginSession, 'usuarioId' | 'nome' | 'setores'>

type TakeDeps = Pick<ActDeps, 'clock' | 'realtime' | 'applyEventWith'>

/** The first operador wins. Taking an own conversa again succeeds. */
export function takeConversa(
  { clock, realtime }: Pick<TakeDeps, 'clock' | 'realtime'>,
  { contaId, id }: Pick<ConversaRef, 'contaId' | 'id'>,
  reader: ActingOperador,
): Act {
  const { usuarioId: operadorId, nome: operador } = reader
  return {
    ref: { contaId, id, reader },
    event: (base) => ({ tipo: 'atendenteAssumiu', ...base }),
    update: (tx) => updateTaken(tx, { contaId, id, operadorId, operador, em: clock.now() }),
    publish: (served, situacao) => {
      const event = { userId: contaId, conversaId: id, operadorId, operador, situacao }
      realtime.publishConversa(contaId, 'conversaAssumida', event, audienceOf(served))
    },
  }
}

/** Takes the conversa in the caller's transaction. */
export async function takeConversaIn(
  tx: Tx,
  deps: TakeDeps,
  ref: Pick<ConversaRef, 'contaId' | 'id'>,
  reader: ActingOperador,
): Promise<void> {
  await applyAct(tx, deps, takeConversa(deps, ref, reader), () => Promise.resolve())
}
