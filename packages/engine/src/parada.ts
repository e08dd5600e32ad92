import { type BotEffect, texto } from './effect.ts'
import type { MensagemCliente } from './event.ts'
import { FRASES } from './frases.ts'
import { acharTitulo } from './rules/opcoes.ts'
import { pedeRetomada, pedidoDeParada } from './rules/parada.ts'
import { comando } from './rules/texto.ts'
import { chamarAtendente } from './stages/humano.ts'
import type { BotState } from './state.ts'
import { encerrada, mostrarMenu, type Resultado, type Turno } from './turno.ts'

/**
 * True if the message asks the bot to stop. `PARAR` works in every stage. `SAIR` only leaves the AI or the shop
 * there, and an option with that title has priority.
 */
export function pedeParada({ contexto }: Turno, state: BotState, evento: MensagemCliente): boolean {
  if (state.paradoEm !== null) return false
  const pedido = pedidoDeParada(evento.texto)
  if (pedido !== 'sair') return pedido === 'parar'
  return (
    state.etapa !== 'ia' && state.etapa !== 'loja' && acharTitulo(contexto.config.menu.opcoes, evento.texto) === null
  )
}

/**
 * Records the stop, ends the conversation and drops waiting questions. Unless `calado`, confirms it and explains
 * how to undo it.
 */
export function parar(turno: Turno, state: BotState, calado: boolean): Resultado {
  const memoria = { ...turno.memoria, ultimaEm: turno.agora, erros: 0, paradoEm: turno.agora }
  const pulada: BotEffect[] = state.etapa === 'avaliando' ? [{ tipo: 'pularAvaliacao' }] : []
  return {
    state: encerrada({ ...turno, memoria }),
    effects: [
      ...pulada,
      { tipo: 'registrarConsentimento', ato: 'parada' },
      ...(calado ? [] : [texto(FRASES.parou)]),
      { tipo: 'finalizarConversa' },
    ],
  }
}

/** True for the two requests that the bot answers after a stop: `VOLTAR` and a call for a person. */
export function chamaDeVolta({ texto: escrito }: MensagemCliente): boolean {
  return pedeRetomada(escrito) || comando(escrito) === 'atendente'
}

/** Answers `VOLTAR` or a call for a person after a stop. The call does not undo the stop. */
export function deVolta(turno: Turno, evento: MensagemCliente): Resultado {
  if (!pedeRetomada(evento.texto)) return chamarAtendente(turno, 'geral', '')
  return mostrarMenu({ ...turno, memoria: { ...turno.memoria, erros: 0, paradoEm: null } }, [
    { tipo: 'registrarConsentimento', ato: 'retomada' },
    texto(FRASES.voltou),
  ])
}
