import type { Conversa, MotivoFim } from '@balcao/contract/entities/conversa'

/** The ordinary end by a person has no reason. */
const END_REASONS: Readonly<Partial<Record<MotivoFim, string>>> = {
  inatividade: 'O cliente não respondeu',
  expirada: 'O cliente parou de escrever',
  devolvida: 'Devolvida ao bot',
  bot: 'Encerrada pelo bot',
  agenteMeta: 'Encerrada pelo agente da Meta',
  reaberta: 'Outra conversa foi reaberta',
  contatoJuntado: 'O contato foi unido a outro',
}

export function endReasonOf({ status, motivoFim }: Conversa): string | undefined {
  return status === 'finalizada' && motivoFim !== undefined ? END_REASONS[motivoFim] : undefined
}
