import { type BotEffect, texto } from './effect.ts'
import type { MensagemCliente } from './event.ts'
import { FRASES } from './frases.ts'
import { acharTitulo } from './rules/opcoes.ts'
import { pedeRetomada, pedidoDeParada } from './rules/parada.ts'
import { comando } from './rules/texto.ts'
import { chamarAtendente } from './stages/humano.ts'
import type { BotState } from './state.ts'
import { encerrada, mostrarMenu, type Resultado, type Turno } from './turno.ts'

/** LGPD: a customer decides whether automatic messages come. People can always be reached. */

/**
 * `PARAR` asks for silence wherever the bot listens. `SAIR` leaves the assistant or the shop from inside, and is an
 * option's title when the owner wrote one; everywhere else it asks for silence too.
 */
export function pedeParada({ contexto }: Turno, state: BotState, evento: MensagemCliente): boolean {
  if (state.paradoEm !== null) return false
  const pedido = pedidoDeParada(evento.texto)
  if (pedido !== 'sair') return pedido === 'parar'
  return (
    state.etapa !== 'ia' && state.etapa !== 'loja' && acharTitulo(contexto.config.menu.opcoes, evento.texto) === null
  )
}

/** Says once what was done and how to undo it, unless the bot must be silent; what was waiting is dropped. */
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

/** What a customer who asked for silence is still answered: the word that ends it, and a call for a person. */
export function chamaDeVolta({ texto: escrito }: MensagemCliente): boolean {
  return pedeRetomada(escrito) || comando(escrito) === 'atendente'
}

/** The answer to `chamaDeVolta`. A person is called without ending the silence of the machine. */
export function deVolta(turno: Turno, evento: MensagemCliente): Resultado {
  if (!pedeRetomada(evento.texto)) return chamarAtendente(turno, 'geral', '')
  return mostrarMenu({ ...turno, memoria: { ...turno.memoria, erros: 0, paradoEm: null } }, [
    { tipo: 'registrarConsentimento', ato: 'retomada' },
    texto(FRASES.voltou),
  ])
}
