import type { BodyOf } from '@balcao/contract/define-route'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { finalizarConversaRoute, transferirConversaRoute } from '@balcao/contract/routes/atendimento-conversa'
import type { TransferDestination } from './transfer-dialog.tsx'

/** Farewell and rating, the farewell alone, or nothing. */
export type FinishChoice = 'completo' | 'semAvaliacao' | 'silencioso'

/** The farewell waits so long for an undo. */
export const UNDO_S = 5

export function finishBody(how: FinishChoice): BodyOf<typeof finalizarConversaRoute> {
  switch (how) {
    case 'completo':
      return { esperaSegundos: UNDO_S }
    case 'semAvaliacao':
      return { semAvaliacao: true, esperaSegundos: UNDO_S }
    case 'silencioso':
      return { silencioso: true, esperaSegundos: UNDO_S }
  }
}

export function transferBody({
  setor,
  atendente,
  motivo,
}: TransferDestination): BodyOf<typeof transferirConversaRoute> {
  const said = motivo.trim()
  return {
    ...(setor === null ? {} : { setor: setor.id }),
    ...(atendente === null ? {} : { operadorId: atendente.id }),
    ...(said === '' ? {} : { motivo: said }),
  }
}

/**
 * An operador wrote, or the owner on the phone. Texts of Meta's agent are not of a person. A card has the last message
 * only: an answer made `semRespostaDesde` end, so that it began again after the wait. ISO instants in UTC compare as
 * text.
 */
export function isAnsweredByPerson(conversa: Conversa): boolean {
  const { mensagens, status, operadorId, semRespostaDesde, aguardandoDesde } = conversa
  if (
    mensagens.some(({ origem, agenteMeta }) => origem === 'operador' || (origem === 'celular' && agenteMeta !== true))
  ) {
    return true
  }
  if (semRespostaDesde !== undefined) return semRespostaDesde > aguardandoDesde
  return status === 'em_atendimento' && operadorId !== undefined && mensagens.length > 0
}
