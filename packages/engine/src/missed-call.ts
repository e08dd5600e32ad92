import { CORTESIA_APOS_FIM_MS, LACO, MENSAGEM_ANTIGA_MS } from '@balcao/contract/constants'
import type { LigacaoPerdida } from './event.ts'
import { answersTooLong, countAutoAnswer } from './rules/loop-guard.ts'
import { avaliacaoExpired } from './stages/avaliacao.ts'
import { type BotState, isSilentAt, memoryFields } from './state.ts'
import { sayText, type StepResult, type EngineTurn } from './engine-turn.ts'

/**
 * Answers a missed call with the owner's text and keeps the stage. Sends nothing while people or the owner serve
 * the customer, after `PARAR`, for calls older than 10 minutes, or after 15 answers within a minute.
 */
export function handleMissedCall(turn: EngineTurn, state: BotState, { agora, ligouEm }: LigacaoPerdida): StepResult {
  const onde = resetIfExpired(state, agora)
  const emSilencio =
    state.etapa === 'humano' ||
    state.paradoEm !== null ||
    isSilentAt(state, agora) ||
    agora - ligouEm > MENSAGEM_ANTIGA_MS ||
    answersTooLong(state, agora) ||
    state.respostasEm.filter((instant) => agora - instant < LACO.respostasJanelaMs).length >= LACO.respostasMaximo
  const effects = emSilencio ? [] : sayText(turn, turn.context.config.whatsapp.respostaLigacao)
  if (effects.length === 0) return { state: onde, effects }
  return { state: countAutoAnswer(onde, agora), effects }
}

/** Resets the stage when an ended or unrated conversation has expired. */
export function resetIfExpired(state: BotState, now: number): BotState {
  const acabou =
    (state.etapa === 'encerrada' && now - state.desde >= CORTESIA_APOS_FIM_MS) ||
    (state.etapa === 'avaliando' && avaliacaoExpired(state, now))
  return acabou ? { ...memoryFields(state), etapa: 'nenhuma' } : state
}
