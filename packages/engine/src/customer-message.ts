import { CORTESIA_APOS_FIM_MS, LACO, MENSAGEM_ANTIGA_MS } from '@balcao/contract/constants'
import { warningEffect, reachesCustomer, textEffect } from './effect.ts'
import type { MensagemCliente } from './event.ts'
import type { Cart } from './pedidos/cart.ts'
import { PHRASES } from './phrases.ts'
import { answersTooLong, countAutoAnswer, observeText } from './rules/loop-guard.ts'
import { parseCommand, isCourtesyMessage } from './rules/text.ts'
import { isAnsweredAfterStop, answerAfterStop, stopMessages, isStopRequest } from './stop-request.ts'
import { answerInAvaliacao } from './stages/avaliacao.ts'
import { handToPeople } from './stages/humano.ts'
import { iaReads, answerInIa, askIa } from './stages/ia.ts'
import { answerAtStart, greet } from './stages/start.ts'
import { answerInLoja } from './stages/loja.ts'
import { answerCartCode, cartSearch, showCartToPeople } from './stages/page-cart.ts'
import { matchMenuText, answerInMenu } from './stages/menu.ts'
import type { BotState } from './state.ts'
import { showMenu, type StepResult, type EngineTurn } from './engine-turn.ts'

/** Handles a message of the customer: silence first, then the loop guard, then the stage. */
export function handleCustomerMessage(initial: EngineTurn, state: BotState, event: MensagemCliente): StepResult {
  const { agora } = event
  const silence: StepResult = { state: { ...state, ultimaEm: agora }, effects: [] }
  const search = cartSearch(initial, event)
  if (state.etapa === 'humano') return servedByPeople(initial, silence, search, event)
  if ((state.telefoneAte ?? 0) > agora) return silence
  const muted = (state.caladoAte ?? 0) > agora
  // A stop request counts even while the loop guard keeps the bot silent; then no confirmation is sent.
  if (isStopRequest(initial, state, event)) return countIfAnswered(stopMessages(initial, muted), agora)
  if (muted || needsNoAnswer(state, event)) return silence
  if (search.length > 0) return { state, effects: search }
  const memory = { ...initial.memory, ultimaEm: agora, telefoneAte: null }
  if (isBacklog(state, event)) return answerBacklog({ ...initial, memory }, state) ?? silence
  const observed = observeText({ ...memory, saudouAtraso: false }, event.texto, agora)
  if (observed.emLaco) return startSilence(state, observed.memoria, agora)
  return countIfAnswered(answerMessage({ ...initial, memory: observed.memoria }, state, event), agora)
}

const cartOf = ({ carrinho = null }: MensagemCliente): Cart | null => carrinho

/** The bot is silent, except about an order of the page. */
function servedByPeople(
  turn: EngineTurn,
  silence: StepResult,
  search: StepResult['effects'],
  event: MensagemCliente,
): StepResult {
  return search.length > 0 ? { ...silence, effects: search } : showCartToPeople(turn, silence.state, cartOf(event))
}

/** True for a message after a stop that does not undo it, and for a courtesy after the end. */
function needsNoAnswer(state: BotState, event: MensagemCliente): boolean {
  return (state.paradoEm !== null && !isAnsweredAfterStop(event)) || isCourtesyAfterEnd(state, event)
}

function isBacklog(state: BotState, event: MensagemCliente): boolean {
  return state.paradoEm === null && cartOf(event) === null && event.agora - event.enviadaEm > MENSAGEM_ANTIGA_MS
}

/**
 * True for a courtesy within 10 minutes after the end, which needs no answer. Counts from sending, not from
 * arrival.
 */
function isCourtesyAfterEnd(state: BotState, event: MensagemCliente): boolean {
  if (state.etapa !== 'encerrada') return false
  const said = Math.min(event.agora, event.enviadaEm)
  return said - state.desde < CORTESIA_APOS_FIM_MS && isCourtesyMessage(event)
}

/** Greets once for all old messages of a backlog; returns null if that is done. */
function answerBacklog(turn: EngineTurn, state: BotState): StepResult | null {
  if (state.saudouAtraso && !hasExpired(turn, state)) return null
  const memory = { ...turn.memory, saudouAtraso: true, erros: 0 }
  return countIfAnswered(greet({ ...turn, memory }), turn.now)
}

/** The loop guard: 10 minutes of silence for a customer who writes like a machine, and a warning for the owner. */
function startSilence(state: BotState, memory: EngineTurn['memory'], now: number): StepResult {
  const minutes = LACO.silencioMs / 60_000
  const cause = answersTooLong(memory, now)
    ? `${LACO.semPessoaMaximo} respostas automáticas em uma hora a um mesmo cliente`
    : 'Mensagens demais em pouco tempo de um mesmo cliente'
  const muted = { pergunta: null, repetido: null, respostasEm: [], caladoAte: now + LACO.silencioMs }
  return {
    state: { ...state, ...memory, ...muted },
    effects: [warningEffect(`${cause}: o bot ficará em silêncio com ele por ${minutes} minutos.`)],
  }
}

/** Counts one automatic answer per message, if the result sends anything. */
function countIfAnswered(result: StepResult, now: number): StepResult {
  if (!result.effects.some(reachesCustomer)) return result
  return { ...result, state: countAutoAnswer(result.state, now) }
}

function answerMessage(turn: EngineTurn, state: BotState, event: MensagemCliente): StepResult {
  if (state.paradoEm !== null) return answerAfterStop(turn, event)
  // A cart is stored with its customer from now on, so it precedes the rating.
  if (state.etapa === 'avaliando' && cartOf(event) === null) return answerInAvaliacao(turn, state, event)
  if (begins(turn, state)) return answerAtStart(turn, event)
  const paged = answerCartCode(turn, event)
  if (paged !== null) return paged

  switch (parseCommand(event.texto)) {
    case 'menu':
      return showMenu({ ...turn, memory: { ...turn.memory, erros: 0 } })
    case 'atendente':
      return handToPeople(turn, 'geral', '')
    case null:
      return event.midia === undefined && event.texto.trim() !== ''
        ? answerInStage(turn, state, event)
        : answerMedia(turn, state, event)
  }
}

function begins(turn: EngineTurn, state: BotState): boolean {
  return state.etapa === 'nenhuma' || state.etapa === 'encerrada' || hasExpired(turn, state)
}

function answerInStage(turn: EngineTurn, state: BotState, event: MensagemCliente): StepResult {
  switch (state.etapa) {
    case 'ia':
      return answerInIa(turn, event)
    case 'loja':
      return answerInLoja(turn, state, event)
    case 'nenhuma':
    case 'encerrada':
    case 'avaliando':
    case 'humano':
    case 'menu':
      return answerInMenu(turn, event)
  }
}

/** Media or blank text. A caption is tried first; then the AI if it reads media. Never counts as not understood. */
function answerMedia(turn: EngineTurn, state: BotState, event: MensagemCliente): StepResult {
  if (event.texto.trim() !== '') {
    const answered = state.etapa === 'menu' ? matchMenuText(turn, event) : answerInStage(turn, state, event)
    if (answered !== null) return answered
  }
  if (iaReads(turn, event)) {
    if (state.etapa === 'ia') return askIa(turn, event, 'ia')
    const { sempreResponder } = turn.context.config.ia.comportamentos
    if (state.etapa === 'menu' && sempreResponder) return askIa(turn, event, 'menu')
  }
  return { state: { ...state, ...turn.memory }, effects: [textEffect(PHRASES.soTexto)] }
}

/** True after the configured silence, or when the owner has just served the customer on the phone. */
function hasExpired({ context, now }: EngineTurn, { ultimaEm, telefoneAte }: BotState): boolean {
  return ultimaEm === null || telefoneAte !== null || now - ultimaEm > context.config.menu.expiraEmMinutos * 60_000
}
