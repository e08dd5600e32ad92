import { AVALIACAO_EXPIRA_MS, AVALIACAO_INTERVALO_MS } from '@balcao/contract/constants'
import { texto } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { FRASES } from '#frases.ts'
import { lerNota } from '#rules/nota.ts'
import { ehMensagemCortes } from '#rules/texto.ts'
import type { BotState } from '#state.ts'
import { dizer, encerrada, type Resultado, type Turno } from '#turno.ts'
import { noInicio } from './inicio.ts'

type Avaliando = Extract<BotState, { etapa: 'avaliando' }>

/** Runs when an operator finishes: sends the goodbye, then the question, at most once per contato in 24 hours. */
export function pedirAvaliacao(turno: Turno): Resultado {
  const { config } = turno.contexto
  if (turno.memoria.paradoEm !== null) return { state: encerrada(turno), effects: [] }
  const adeus = dizer(turno, config.menu.mensagens.despedida)
  const { avaliacaoPedidaEm } = turno.memoria
  const recente = avaliacaoPedidaEm !== null && turno.agora - avaliacaoPedidaEm < AVALIACAO_INTERVALO_MS
  if (!config.atendimento.avaliacao.ativa || recente) {
    return { state: encerrada(turno), effects: adeus }
  }
  return {
    state: { ...esperandoNota(turno), avaliacaoPedidaEm: turno.agora },
    effects: [...adeus, texto(FRASES.pedirNota)],
  }
}

/** Asks for the rating as a test, regardless of earlier questions. Does not count as the question of the day. */
export function simularAvaliacao(turno: Turno): Resultado {
  return { state: esperandoNota(turno), effects: [texto(FRASES.pedirNota)] }
}

function esperandoNota({ memoria, agora }: Turno): Avaliando {
  return { ...memoria, etapa: 'avaliando', desde: agora, tentou: false, pergunta: null }
}

/** True if the time to rate (30 minutes) is over at `agora` (ms). */
export function tempoEsgotado(state: Avaliando, agora: number): boolean {
  return agora - state.desde >= AVALIACAO_EXPIRA_MS
}

/** Handles a message while a rating is awaited. A message that is neither nota nor courtesy is answered normally. */
export function avaliando(turno: Turno, state: Avaliando, evento: MensagemCliente): Resultado {
  if (tempoEsgotado(state, turno.agora)) return pular(turno, evento)
  const nota = lerNota(evento.texto)
  switch (nota.tipo) {
    case 'nota':
      return {
        state: encerrada(turno),
        effects: [{ tipo: 'registrarAvaliacao', nota: nota.nota }, texto(FRASES.agradecerNota)],
      }
    case 'outroNumero':
      if (!state.tentou) {
        const { desde } = state
        return {
          state: { ...turno.memoria, etapa: 'avaliando', desde, tentou: true },
          effects: [texto(FRASES.notaInvalida)],
        }
      }
      return { state: encerrada(turno), effects: [{ tipo: 'pularAvaliacao' }, texto(FRASES.semNota)] }
    case 'texto': {
      if (!ehMensagemCortes(evento)) return pular(turno, evento)
      const { desde, tentou } = state
      return { state: { ...turno.memoria, etapa: 'avaliando', desde, tentou }, effects: [] }
    }
  }
}

function pular(turno: Turno, evento: MensagemCliente): Resultado {
  const primeira = noInicio(turno, evento)
  return { ...primeira, effects: [{ tipo: 'pularAvaliacao' }, ...primeira.effects] }
}
