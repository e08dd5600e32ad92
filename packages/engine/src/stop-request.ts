import { textEffect } from './effect.ts'
import type { MensagemCliente } from './event.ts'
import { PHRASES } from './phrases.ts'
import { findOpcaoByTitle } from './rules/opcoes.ts'
import { isResumeWord, parseStopWord } from './rules/stop-words.ts'
import { parseCommand } from './rules/text.ts'
import { handToPeople } from './stages/humano.ts'
import type { BotState } from './state.ts'
import { endedState, showMenu, type StepResult, type EngineTurn } from './engine-turn.ts'

/**
 * True if the message asks the bot to stop. `PARAR` works in every stage. `SAIR` only leaves the AI or the shop
 * there, and an option with that title has priority.
 */
export function isStopRequest({ context }: EngineTurn, state: BotState, event: MensagemCliente): boolean {
  if (state.paradoEm !== null) return false
  const request = parseStopWord(event.texto)
  if (request !== 'sair') return request === 'parar'
  return (
    state.etapa !== 'ia' && state.etapa !== 'loja' && findOpcaoByTitle(context.config.menu.opcoes, event.texto) === null
  )
}

/**
 * Records the stop, ends the conversation and drops waiting questions. Unless `silent`, confirms it and explains
 * how to undo it.
 */
export function stopMessages(turn: EngineTurn, silent: boolean): StepResult {
  const memory = { ...turn.memory, ultimaEm: turn.now, erros: 0, paradoEm: turn.now }
  return {
    state: endedState({ ...turn, memory }),
    effects: [
      { tipo: 'registrarConsentimento', ato: 'parada' },
      ...(silent ? [] : [textEffect(PHRASES.parou)]),
      { tipo: 'finalizarConversa' },
    ],
  }
}

/** True for the two requests that the bot answers after a stop: `VOLTAR` and a call for a person. */
export function isAnsweredAfterStop({ texto: written }: MensagemCliente): boolean {
  return isResumeWord(written) || parseCommand(written) === 'atendente'
}

/** Answers `VOLTAR` or a call for a person after a stop. The call does not undo the stop. */
export function answerAfterStop(turn: EngineTurn, event: MensagemCliente): StepResult {
  if (!isResumeWord(event.texto)) return handToPeople(turn, 'geral', '')
  return showMenu({ ...turn, memory: { ...turn.memory, erros: 0, paradoEm: null } }, [
    { tipo: 'registrarConsentimento', ato: 'retomada' },
    textEffect(PHRASES.voltou),
  ])
}
