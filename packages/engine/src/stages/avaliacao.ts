import { AVALIACAO_EXPIRA_MS, AVALIACAO_INTERVALO_MS } from '@balcao/contract/constants'
import { textEffect } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { PHRASES } from '#phrases.ts'
import { parseNota } from '#rules/nota.ts'
import { isCourtesyMessage } from '#rules/text.ts'
import type { BotState } from '#state.ts'
import { sayText, endedState, type StepResult, type EngineTurn } from '#engine-turn.ts'
import { answerAtStart } from './start.ts'

type AvaliandoState = Extract<BotState, { etapa: 'avaliando' }>

/** Runs when an operator finishes: sends the goodbye, then the question, at most once per contato in 24 hours. */
export function askAvaliacao(turn: EngineTurn): StepResult {
  const { config } = turn.context
  if (turn.memory.paradoEm !== null) return { state: endedState(turn), effects: [] }
  const goodbye = sayText(turn, config.menu.mensagens.despedida)
  const { avaliacaoPedidaEm } = turn.memory
  const recent = avaliacaoPedidaEm !== null && turn.now - avaliacaoPedidaEm < AVALIACAO_INTERVALO_MS
  if (!config.atendimento.avaliacao.ativa || recent) {
    return { state: endedState(turn), effects: goodbye }
  }
  return {
    state: { ...awaitingNota(turn), avaliacaoPedidaEm: turn.now },
    effects: [...goodbye, textEffect(PHRASES.pedirNota)],
  }
}

/** Runs when silence, or an operator without a rating, ended the conversa: sends the goodbye alone. */
export function sayGoodbye(turn: EngineTurn): StepResult {
  const { config } = turn.context
  const effects = turn.memory.paradoEm === null ? sayText(turn, config.menu.mensagens.despedida) : []
  return { state: endedState(turn), effects }
}

/** Asks for the rating as a test, regardless of earlier questions. Does not count as the question of the day. */
export function askTestAvaliacao(turn: EngineTurn): StepResult {
  return { state: awaitingNota(turn), effects: [textEffect(PHRASES.pedirNota)] }
}

function awaitingNota({ memory, now }: EngineTurn): AvaliandoState {
  return { ...memory, etapa: 'avaliando', desde: now, tentou: false, pergunta: null }
}

/** True if the time to rate (30 minutes) is over at `now` (ms). */
export function avaliacaoExpired(state: AvaliandoState, now: number): boolean {
  return now - state.desde >= AVALIACAO_EXPIRA_MS
}

/** Handles a message while a rating is awaited. A message that is neither nota nor courtesy is answered normally. */
export function answerInAvaliacao(turn: EngineTurn, state: AvaliandoState, event: MensagemCliente): StepResult {
  if (avaliacaoExpired(state, turn.now)) return answerAtStart(turn, event)
  const note = parseNota(event.texto)
  switch (note.tipo) {
    case 'nota':
      return {
        state: endedState(turn),
        effects: [{ tipo: 'registrarAvaliacao', nota: note.nota }, textEffect(PHRASES.agradecerNota)],
      }
    case 'outroNumero':
      if (!state.tentou) {
        const { desde } = state
        return {
          state: { ...turn.memory, etapa: 'avaliando', desde, tentou: true },
          effects: [textEffect(PHRASES.notaInvalida)],
        }
      }
      return { state: endedState(turn), effects: [textEffect(PHRASES.semNota)] }
    case 'texto': {
      if (!isCourtesyMessage(event)) return answerAtStart(turn, event)
      const { desde, tentou } = state
      return { state: { ...turn.memory, etapa: 'avaliando', desde, tentou }, effects: [] }
    }
  }
}
