import type { BotContext } from './context.ts'
import type { BotEvent } from './event.ts'
import { deNovo, ligacaoPerdida } from './ligacao.ts'
import { mensagemDoCliente } from './mensagem.ts'
import { pedirAvaliacao, simularAvaliacao, tempoEsgotado } from './stages/avaliacao.ts'
import { responderDaIa } from './stages/ia.ts'
import { type BotState, caladoEm, memoriaDe } from './state.ts'
import { encerrada, mostrarMenu, type Resultado, type Turno } from './turno.ts'
import { contarResposta } from './rules/repeticao.ts'

/**
 * Runs the bot for one event of one customer. Takes the account's settings, the stored state and the event with its
 * own time; returns the next state and the effects in order. Never throws, reads no clock and is deterministic.
 */
export function step(contexto: BotContext, state: BotState, event: BotEvent): Resultado {
  const turno: Turno = {
    contexto,
    memoria: memoriaDe(state),
    agora: event.agora,
    contato: event.contato,
    protocolo: event.protocolo ?? '',
  }
  switch (event.tipo) {
    case 'mensagemCliente':
      return mensagemDoCliente(turno, state, event)
    case 'mensagemDoTelefone': {
      const escritaEm = Math.min(event.agora, event.escritaEm ?? event.agora)
      const ate = escritaEm + contexto.config.menu.expiraEmMinutos * 60_000
      const telefoneAte = Math.max(ate, state.telefoneAte ?? 0)
      return { state: { ...deNovo(state, event.agora), telefoneAte, pergunta: null }, effects: [] }
    }
    case 'ligacaoPerdida':
      return ligacaoPerdida(turno, state, event)
    case 'respostaIa': {
      const tardia = state.pergunta !== event.perguntaId || state.etapa === 'humano' || caladoEm(state, event.agora)
      if (tardia) return { state, effects: [] }
      const { state: depois, effects } = responderDaIa(turno, state, event)
      return { state: contarResposta(depois, event.agora), effects }
    }
    case 'atendenteAssumiu':
      return { state: { ...noPainel(turno).memoria, etapa: 'humano', setor: setorDe(state) }, effects: [] }
    case 'atendenteTransferiu':
      return { state: { ...noPainel(turno).memoria, etapa: 'humano', setor: event.setor }, effects: [] }
    case 'devolvidaAoBot': {
      const devolvida = mostrarMenu(noPainel(turno))
      return state.paradoEm === null ? devolvida : { ...devolvida, effects: [] }
    }
    case 'atendenteFinalizou':
      return pedirAvaliacao(noPainel(turno))
    case 'avaliacaoSimulada':
      // A test must not take a customer away from people or override a stop.
      return state.etapa === 'humano' || state.paradoEm !== null
        ? { state, effects: [] }
        : simularAvaliacao(noPainel(turno))
    case 'tempoAvaliacao':
      if (state.etapa !== 'avaliando' || !tempoEsgotado(state, event.agora)) return { state, effects: [] }
      return { state: encerrada(turno), effects: [{ tipo: 'pularAvaliacao' }] }
  }
}

/** An action in the panel ends the silence of the bot and counts as activity at this instant. */
function noPainel(turno: Turno): Turno {
  const memoria = {
    ...turno.memoria,
    ultimaEm: turno.agora,
    telefoneAte: null,
    caladoAte: null,
    pergunta: null,
    erros: 0,
  }
  return { ...turno, memoria }
}

function setorDe(state: BotState): string {
  return state.etapa === 'humano' ? state.setor : 'geral'
}
