import type { Conversa } from '@balcao/contract/entities/conversa'
import type { LoginSession } from '#http/authentication.ts'
import { type ConversaRef, type ConversaChange, type ChangeDeps, changeConversa } from './change.ts'
import { updateTaken } from '#modules/atendimento/repository.ts'

export interface ActingOperador {
  readonly id: string
  readonly nome: string
}

/** The first operador wins. Taking an own conversa again succeeds. */
export function takeConversa(deps: ChangeDeps, session: LoginSession, id: string): Promise<Conversa> {
  const target = { contaId: session.contaId, id }
  const change = takeChange(deps, target, { id: session.usuarioId, nome: session.nome })
  return deps.db.transaction(target.contaId, (tx) => changeConversa(tx, deps, target, change))
}

export function takeChange(
  { clock, realtime }: Pick<ChangeDeps, 'clock' | 'realtime'>,
  { contaId, id }: ConversaRef,
  { id: operadorId, nome: operador }: ActingOperador,
): ConversaChange {
  return {
    event: (base) => ({ tipo: 'atendenteAssumiu', ...base }),
    write: (tx) => updateTaken(tx, contaId, { id, operadorId, operador, em: clock.now() }),
    publish: () =>
      realtime.publish(contaId, 'conversaAssumida', { userId: contaId, conversaId: id, operadorId, operador }),
  }
}
