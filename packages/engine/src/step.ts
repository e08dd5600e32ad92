import type { BotContext } from './context.ts'
import type { BotEvent } from './event.ts'
import { resetIfExpired, handleMissedCall } from './missed-call.ts'
import { handleCustomerMessage } from './customer-message.ts'
import { askAvaliacao, askTestAvaliacao, avaliacaoExpired } from './stages/avaliacao.ts'
import { handleIaAnswer } from './stages/ia.ts'
import { type BotState, isSilentAt, memoryFields } from './state.ts'
import { endedState, showMenu, type StepResult, type EngineTurn } from './engine-turn.ts'
import { countAutoAnswer } from './rules/loop-guard.ts'

/**
 * Runs the bot for one event of one customer. Takes the account's settings, the stored state and the event with its
 * own time; returns the next state and the effects in order. Never throws, reads no clock and is deterministic.
 */
export function step(context: BotContext, state: BotState, event: BotEvent): StepResult {
  const turno: EngineTurn = {
    context,
    memory: memoryFields(state),
    now: event.agora,
    contato: event.contato,
    protocolo: event.protocolo ?? '',
  }
  switch (event.tipo) {
    case 'mensagemCliente':
      return handleCustomerMessage(turno, state, event)
    case 'mensagemDoTelefone': {
      const escritaEm = Math.min(event.agora, event.escritaEm ?? event.agora)
      const until = escritaEm + context.config.menu.expiraEmMinutos * 60_000
      const telefoneAte = Math.max(until, state.telefoneAte ?? 0)
      return { state: { ...resetIfExpired(state, event.agora), telefoneAte, pergunta: null }, effects: [] }
    }
    case 'ligacaoPerdida':
      return handleMissedCall(turno, state, event)
    case 'respostaIa': {
      const tardia = state.pergunta !== event.perguntaId || state.etapa === 'humano' || isSilentAt(state, event.agora)
      if (tardia) return { state, effects: [] }
      const { state: after, effects } = handleIaAnswer(turno, state, event)
      return { state: countAutoAnswer(after, event.agora), effects }
    }
    case 'atendenteAssumiu':
      return { state: { ...afterPanelAction(turno).memory, etapa: 'humano', setor: currentSetor(state) }, effects: [] }
    case 'atendenteTransferiu':
      return { state: { ...afterPanelAction(turno).memory, etapa: 'humano', setor: event.setor }, effects: [] }
    case 'devolvidaAoBot': {
      const devolvida = showMenu(afterPanelAction(turno))
      return state.paradoEm === null ? devolvida : { ...devolvida, effects: [] }
    }
    case 'atendenteFinalizou':
      return askAvaliacao(afterPanelAction(turno))
    case 'avaliacaoSimulada':
      // A test must not take a customer away from people or override a stop.
      return state.etapa === 'humano' || state.paradoEm !== null
        ? { state, effects: [] }
        : askTestAvaliacao(afterPanelAction(turno))
    case 'tempoAvaliacao':
      if (state.etapa !== 'avaliando' || !avaliacaoExpired(state, event.agora)) return { state, effects: [] }
      return { state: endedState(turno), effects: [{ tipo: 'pularAvaliacao' }] }
  }
}

/** An action in the panel ends the silence of the bot and counts as activity at this instant. */
function afterPanelAction(turno: EngineTurn): EngineTurn {
  const memoria = {
    ...turno.memory,
    ultimaEm: turno.now,
    telefoneAte: null,
    caladoAte: null,
    pergunta: null,
    erros: 0,
  }
  return { ...turno, memory: memoria }
}

function currentSetor(state: BotState): string {
  return state.etapa === 'humano' ? state.setor : 'geral'
}
