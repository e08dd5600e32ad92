import { CORTESIA_APOS_FIM_MS, LACO, MENSAGEM_ANTIGA_MS } from '@balcao/contract/constants'
import { aviso, type BotEffect, fala, texto } from './effect.ts'
import type { MensagemCliente } from './event.ts'
import { FRASES } from './frases.ts'
import { contarResposta, observarTexto } from './rules/repeticao.ts'
import { comando, ehMensagemCortes } from './rules/texto.ts'
import { chamaDeVolta, deVolta, parar, pedeParada } from './parada.ts'
import { avaliando } from './stages/avaliacao.ts'
import { chamarAtendente } from './stages/humano.ts'
import { iaLe, naIa, perguntar } from './stages/ia.ts'
import { noInicio, saudar } from './stages/inicio.ts'
import { naLoja } from './stages/loja.ts'
import { entender, noMenu } from './stages/menu.ts'
import type { BotState } from './state.ts'
import { mostrarMenu, type Resultado, type Turno } from './turno.ts'

/** Handles a message of the customer: silence first, then the loop guard, then the stage. */
export function mensagemDoCliente(inicial: Turno, state: BotState, evento: MensagemCliente): Resultado {
  const { agora } = evento
  const silencio: Resultado = { state: { ...state, ultimaEm: agora }, effects: [] }
  if (state.etapa === 'humano') return silencio
  if ((state.telefoneAte ?? 0) > agora) return silencio
  const calado = (state.caladoAte ?? 0) > agora
  // A stop request counts even while the loop guard keeps the bot silent; then no confirmation is sent.
  if (pedeParada(inicial, state, evento)) return contada(parar(inicial, state, calado), agora)
  if (calado || (state.paradoEm !== null && !chamaDeVolta(evento))) return silencio
  if (agradeceNoFim(state, evento)) return silencio
  const memoria = { ...inicial.memoria, ultimaEm: agora, telefoneAte: null }
  const antiga = state.paradoEm === null && agora - evento.enviadaEm > MENSAGEM_ANTIGA_MS
  if (antiga) return atrasada({ ...inicial, memoria }, state) ?? silencio
  const observada = observarTexto({ ...memoria, saudouAtraso: false }, evento.texto, agora)
  if (observada.emLaco) return calar(state, observada.memoria, agora)
  return contada(responder({ ...inicial, memoria: observada.memoria }, state, evento), agora)
}

/**
 * True for a courtesy within 10 minutes after the end, which needs no answer. Counts from sending, not from
 * arrival.
 */
function agradeceNoFim(state: BotState, evento: MensagemCliente): boolean {
  if (state.etapa !== 'encerrada') return false
  const dita = Math.min(evento.agora, evento.enviadaEm)
  return dita - state.desde < CORTESIA_APOS_FIM_MS && ehMensagemCortes(evento)
}

/** Greets once for all old messages of a backlog; returns null if that is done. */
function atrasada(turno: Turno, state: BotState): Resultado | null {
  if (state.saudouAtraso && !expirou(turno, state)) return null
  const memoria = { ...turno.memoria, saudouAtraso: true, erros: 0 }
  const pulada: BotEffect[] = state.etapa === 'avaliando' ? [{ tipo: 'pularAvaliacao' }] : []
  const saudada = saudar({ ...turno, memoria })
  return contada({ ...saudada, effects: [...pulada, ...saudada.effects] }, turno.agora)
}

/** The loop guard: 10 minutes of silence for a customer who writes like a machine, and a warning for the owner. */
function calar(state: BotState, memoria: Turno['memoria'], agora: number): Resultado {
  const minutos = LACO.silencioMs / 60_000
  const calado = { pergunta: null, repetido: null, respostasEm: [], caladoAte: agora + LACO.silencioMs }
  return {
    state: { ...state, ...memoria, ...calado },
    effects: [
      aviso(
        `Mensagens demais em pouco tempo de um mesmo cliente: o bot ficará em silêncio com ele por ${minutos} minutos.`,
      ),
    ],
  }
}

/** Counts one automatic answer per message, if the result sends anything. */
function contada(resultado: Resultado, agora: number): Resultado {
  if (!resultado.effects.some(fala)) return resultado
  return { ...resultado, state: contarResposta(resultado.state, agora) }
}

function responder(turno: Turno, state: BotState, evento: MensagemCliente): Resultado {
  if (state.paradoEm !== null) return deVolta(turno, evento)
  if (state.etapa === 'avaliando') return avaliando(turno, state, evento)
  if (state.etapa === 'nenhuma' || state.etapa === 'encerrada' || expirou(turno, state)) return noInicio(turno, evento)

  switch (comando(evento.texto)) {
    case 'menu':
      return mostrarMenu({ ...turno, memoria: { ...turno.memoria, erros: 0 } })
    case 'atendente':
      return chamarAtendente(turno, 'geral', '')
    case null:
      return evento.midia === undefined && evento.texto.trim() !== ''
        ? naEtapa(turno, state, evento)
        : semTexto(turno, state, evento)
  }
}

function naEtapa(turno: Turno, state: BotState, evento: MensagemCliente): Resultado {
  switch (state.etapa) {
    case 'ia':
      return naIa(turno, evento)
    case 'loja':
      return naLoja(turno, state, evento)
    case 'nenhuma':
    case 'encerrada':
    case 'avaliando':
    case 'humano':
    case 'menu':
      return noMenu(turno, evento)
  }
}

/** Media or blank text. A caption is tried first; then the AI if it reads media. Never counts as not understood. */
function semTexto(turno: Turno, state: BotState, evento: MensagemCliente): Resultado {
  if (evento.texto.trim() !== '') {
    const respondida = state.etapa === 'menu' ? entender(turno, evento) : naEtapa(turno, state, evento)
    if (respondida !== null) return respondida
  }
  if (iaLe(turno, evento)) {
    if (state.etapa === 'ia') return perguntar(turno, evento, 'ia')
    const { sempreResponder } = turno.contexto.config.ia.comportamentos
    if (state.etapa === 'menu' && sempreResponder) return perguntar(turno, evento, 'menu')
  }
  return { state: { ...state, ...turno.memoria }, effects: [texto(FRASES.soTexto)] }
}

/** True after the configured silence, or when the owner has just served the customer on the phone. */
function expirou({ contexto, agora }: Turno, { ultimaEm, telefoneAte }: BotState): boolean {
  return ultimaEm === null || telefoneAte !== null || agora - ultimaEm > contexto.config.menu.expiraEmMinutos * 60_000
}
