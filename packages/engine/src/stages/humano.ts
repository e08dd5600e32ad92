import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { BotEffect } from '#effect.ts'
import { PHRASES } from '#phrases.ts'
import { isOpenAt, closedPeriodId } from '#rules/horario.ts'
import { sayText, sayFirst, type StepResult, type EngineTurn } from '#engine-turn.ts'

/** Puts the customer in the queue for people. Outside opening hours the bot first says so, once per closed period. */
export function handToPeople(turn: EngineTurn, requestedSetor: string, phrase: string): StepResult {
  const { atendimento, menu } = turn.context.config
  const active = (wanted: string | undefined) => atendimento.setores.find(({ id, ativo }) => id === wanted && ativo)?.id
  const named = requestedSetor === SETOR_GERAL ? undefined : active(requestedSetor)
  const setor = named ?? active(turn.context.setor) ?? SETOR_GERAL
  const fora: BotEffect[] = []
  let { foraPeriodoDito } = turn.memory
  if (!isOpenAt(atendimento.horario, turn.now)) {
    const period = closedPeriodId(atendimento.horario, turn.now)
    if (period !== foraPeriodoDito) fora.push(...sayText(turn, menu.mensagens.foraPeriodo))
    foraPeriodoDito = period
  }
  const call = sayFirst(turn, phrase, menu.mensagens.aguardandoAtendente, PHRASES.chamando)
  return {
    state: { ...turn.memory, etapa: 'humano', setor, erros: 0, pergunta: null, foraPeriodoDito },
    effects: [...fora, ...call, { tipo: 'abrirConversaHumana', setor }],
  }
}
