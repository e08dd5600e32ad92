import { CORTESIA_APOS_FIM_MS, LACO, MENSAGEM_ANTIGA_MS } from '@balcao/contract/constants'
import { warningEffect, type BotEffect, reachesCustomer, textEffect } from './effect.ts'
import type { MensagemCliente } from './event.ts'
import { PHRASES } from './phrases.ts'
import { countAutoAnswer, observeText } from './rules/loop-guard.ts'
import { parseCommand, isCourtesyMessage } from './rules/text.ts'
import { isAnsweredAfterStop, answerAfterStop, stopMessages, isStopRequest } from './stop-request.ts'
import { answerInAvaliacao } from './stages/avaliacao.ts'
import { handToPeople } from './stages/humano.ts'
import { iaReads, answerInIa, askIa } from './stages/ia.ts'
import { answerAtStart, greet } from './stages/start.ts'
import { answerInLoja } from './stages/loja.ts'
import { matchMenuText, answerInMenu } from './stages/menu.ts'
import type { BotState } from './state.ts'
import { showMenu, type StepResult, type EngineTurn } from './engine-turn.ts'

/** Handles a message of the customer: silence first, then the loop guard, then the stage. */
export function handleCustomerMessage(initial: EngineTurn, state: BotState, event: MensagemCliente): StepResult {
  const { agora } = event
  const silencio: StepResult = { state: { ...state, ultimaEm: agora }, effects: [] }
  if (state.etapa === 'humano') return silencio
  if ((state.telefoneAte ?? 0) > agora) return silencio
  const calado = (state.caladoAte ?? 0) > agora
  // A stop request counts even while the loop guard keeps the bot silent; then no confirmation is sent.
  if (isStopRequest(initial, state, event)) return countIfAnswered(stopMessages(initial, state, calado), agora)
  if (calado || (state.paradoEm !== null && !isAnsweredAfterStop(event))) return silencio
  if (isCourtesyAfterEnd(state, event)) return silencio
  const memoria = { ...initial.memory, ultimaEm: agora, telefoneAte: null }
  const old = state.paradoEm === null && agora - event.enviadaEm > MENSAGEM_ANTIGA_MS
  if (old) return answerBacklog({ ...initial, memory: memoria }, state) ?? silencio
  const observed = observeText({ ...memoria, saudouAtraso: false }, event.texto, agora)
  if (observed.emLaco) return startSilence(state, observed.memoria, agora)
  return countIfAnswered(answerMessage({ ...initial, memory: observed.memoria }, state, event), agora)
}

/**
 * True for a courtesy within 10 minutes after the end, which needs no answer. Counts from sending, not from
 * arrival.
 */
function isCourtesyAfterEnd(state: BotState, evento: MensagemCliente): boolean {
  if (state.etapa !== 'encerrada') return false
  const said = Math.min(evento.agora, evento.enviadaEm)
  return said - state.desde < CORTESIA_APOS_FIM_MS && isCourtesyMessage(evento)
}

/** Greets once for all old messages of a backlog; returns null if that is done. */
function answerBacklog(turno: EngineTurn, state: BotState): StepResult | null {
  if (state.saudouAtraso && !hasExpired(turno, state)) return null
  const memoria = { ...turno.memory, saudouAtraso: true, erros: 0 }
  const skipped: BotEffect[] = state.etapa === 'avaliando' ? [{ tipo: 'pularAvaliacao' }] : []
  const saudada = greet({ ...turno, memory: memoria })
  return countIfAnswered({ ...saudada, effects: [...skipped, ...saudada.effects] }, turno.now)
}

/** The loop guard: 10 minutes of silence for a customer who writes like a machine, and a warning for the owner. */
function startSilence(state: BotState, memoria: EngineTurn['memory'], agora: number): StepResult {
  const minutes = LACO.silencioMs / 60_000
  const calado = { pergunta: null, repetido: null, respostasEm: [], caladoAte: agora + LACO.silencioMs }
  return {
    state: { ...state, ...memoria, ...calado },
    effects: [
      warningEffect(
        `Mensagens demais em pouco tempo de um mesmo cliente: o bot ficará em silêncio com ele por ${minutes} minutos.`,
      ),
    ],
  }
}

/** Counts one automatic answer per message, if the result sends anything. */
function countIfAnswered(result: StepResult, agora: number): StepResult {
  if (!result.effects.some(reachesCustomer)) return result
  return { ...result, state: countAutoAnswer(result.state, agora) }
}

function answerMessage(turno: EngineTurn, state: BotState, evento: MensagemCliente): StepResult {
  if (state.paradoEm !== null) return answerAfterStop(turno, evento)
  if (state.etapa === 'avaliando') return answerInAvaliacao(turno, state, evento)
  if (state.etapa === 'nenhuma' || state.etapa === 'encerrada' || hasExpired(turno, state))
    return answerAtStart(turno, evento)

  switch (parseCommand(evento.texto)) {
    case 'menu':
      return showMenu({ ...turno, memory: { ...turno.memory, erros: 0 } })
    case 'atendente':
      return handToPeople(turno, 'geral', '')
    case null:
      return evento.midia === undefined && evento.texto.trim() !== ''
        ? answerInStage(turno, state, evento)
        : answerMedia(turno, state, evento)
  }
}

function answerInStage(turno: EngineTurn, state: BotState, evento: MensagemCliente): StepResult {
  switch (state.etapa) {
    case 'ia':
      return answerInIa(turno, evento)
    case 'loja':
      return answerInLoja(turno, state, evento)
    case 'nenhuma':
    case 'encerrada':
    case 'avaliando':
    case 'humano':
    case 'menu':
      return answerInMenu(turno, evento)
  }
}

/** Media or blank text. A caption is tried first; then the AI if it reads media. Never counts as not understood. */
function answerMedia(turno: EngineTurn, state: BotState, evento: MensagemCliente): StepResult {
  if (evento.texto.trim() !== '') {
    const answered = state.etapa === 'menu' ? matchMenuText(turno, evento) : answerInStage(turno, state, evento)
    if (answered !== null) return answered
  }
  if (iaReads(turno, evento)) {
    if (state.etapa === 'ia') return askIa(turno, evento, 'ia')
    const { sempreResponder } = turno.context.config.ia.comportamentos
    if (state.etapa === 'menu' && sempreResponder) return askIa(turno, evento, 'menu')
  }
  return { state: { ...state, ...turno.memory }, effects: [textEffect(PHRASES.soTexto)] }
}

/** True after the configured silence, or when the owner has just served the customer on the phone. */
function hasExpired({ context, now }: EngineTurn, { ultimaEm, telefoneAte }: BotState): boolean {
  return ultimaEm === null || telefoneAte !== null || now - ultimaEm > context.config.menu.expiraEmMinutos * 60_000
}
