import type { Conversa } from '@balcao/contract/entities/conversa'

/** Somebody else answers it: the server would refuse our words, so they are not asked for. */
export function comOutraPessoa({ status, operadorId }: Conversa, meuId: string): boolean {
  return status === 'em_atendimento' && operadorId !== undefined && operadorId !== meuId
}
