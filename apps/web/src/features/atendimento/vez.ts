import type { Conversa } from '@balcao/contract/entities/conversa'

/** Another operador has the conversa, so the server would refuse a send. */
export function isTakenByOther({ status, operadorId }: Conversa, myId: string): boolean {
  return status === 'em_atendimento' && operadorId !== undefined && operadorId !== myId
}
