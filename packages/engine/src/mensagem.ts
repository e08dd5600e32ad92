import { CORTESIA_APOS_FIM_MS, LACO, MENSAGEM_ANTIGA_MS } from '@balcao/contract/constants'
import { aviso, fala } from './effect.ts'
import type { MensagemCliente } from './event.ts'
import { FRASES } from './frases.ts'
import { contarResposta, observarTexto } from './rules/repeticao.ts'
import { comando, ehCortesia } from './rules/texto.ts'
import { avaliando } from './stages/avaliacao.ts'
import { chamarAtendente } from './stages/humano.ts'
import { naIa, perguntar } from './stages/ia.ts'
import { noInicio } from './stages/inicio.ts'
import { naLoja } from './stages/loja.ts'
import { noMenu } from './stages/menu.ts'
import type { BotState } from './state.ts'
import { dizer, mostrarMenu, type Resultado, type Turno } from './turno.ts'

/** A customer's message: first what keeps the bot silent, then the guards, then the stage. */
export function mensagemDoCliente(inicial: Turno, state: BotState, evento: MensagemCliente): Resultado {
  const { agora } = evento
  const memoria = { ...inicial.memoria, ultimaEm: agora }
  const silencio: Resultado = { state: { ...state, ultimaEm: agora }, effects: [] }
  if (state.etapa === 'humano') return silencio
  if ((state.telefoneAte ?? 0) > agora || (state.caladoAte ?? 0) > agora) return silencio

  if (agora - evento.enviadaEm > MENSAGEM_ANTIGA_MS) {
    if (state.saudouAtraso) return silencio
    return contada(
      noInicio({ ...inicial, memoria: { ...memoria, saudouAtraso: true } }, { ...evento, texto: '' }),
      agora,
    )
  }

  const observada = observarTexto({ ...memoria, saudouAtraso: false }, evento.texto, agora)
  if (observada.emLaco) return calar(state, observada.memoria, agora)
  return contada(responder({ ...inicial, memoria: observada.memoria }, state, evento), agora)
}

/** Ten minutes of silence for whoever talks like a machine; the owner is told. */
function calar(state: BotState, memoria: Turno['memoria'], agora: number): Resultado {
  const minutos = LACO.silencioMs / 60_000
  return {
    state: {
      ...state,
      ...memoria,
      pergunta: null,
      repetido: null,
      respostasEm: [],
      caladoAte: agora + LACO.silencioMs,
    },
    effects: [
      aviso(
        `Mensagens demais em pouco tempo de um mesmo cliente: o bot ficará em silêncio com ele por ${minutos} minutos.`,
      ),
    ],
  }
}

/** One message counts one automatic answer, if it got any. */
function contada(resultado: Resultado, agora: number): Resultado {
  if (!resultado.effects.some(fala)) return resultado
  const { respostasEm } = contarResposta({ ...resultado.state, versao: 1 }, agora)
  return { ...resultado, state: { ...resultado.state, respostasEm } }
}

function responder(turno: Turno, state: BotState, evento: MensagemCliente): Resultado {
  if (state.etapa === 'avaliando') return avaliando(turno, state, evento)
  if (state.etapa === 'encerrada') {
    const morna = turno.agora - state.desde < CORTESIA_APOS_FIM_MS
    const cortesia = evento.midia === undefined ? ehCortesia(evento.texto) : evento.midia === 'figurinha'
    if (morna && cortesia) return { state: { ...state, ...turno.memoria }, effects: [] }
  }
  if (state.etapa === 'nenhuma' || state.etapa === 'encerrada' || expirou(turno, state)) return noInicio(turno, evento)

  switch (comando(evento.texto)) {
    case 'menu':
      return mostrarMenu({ ...turno, memoria: { ...turno.memoria, erros: 0 } })
    case 'atendente':
      return chamarAtendente(turno, 'geral', '')
    case null:
      return naEtapa(turno, state, evento)
  }
}

function naEtapa(turno: Turno, state: BotState, evento: MensagemCliente): Resultado {
  if (evento.midia !== undefined && (evento.texto.trim() === '' || state.etapa !== 'ia'))
    return midia(turno, state, evento)
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

/** Never a miss. With an AI that sees and hears, it is a question like any other. */
function midia(turno: Turno, state: BotState, evento: MensagemCliente): Resultado {
  const { iaDisponivel, iaLeMidia = false, config } = turno.contexto
  const legivel = evento.midia === 'audio' || evento.midia === 'imagem'
  const iaOuve = iaDisponivel && iaLeMidia && legivel
  if (iaOuve && state.etapa === 'ia') return perguntar(turno, evento, 'ia')
  if (iaOuve && state.etapa === 'menu' && config.ia.comportamentos.sempreResponder)
    return perguntar(turno, evento, 'menu')
  // A picture with a caption is answered by its caption.
  if (evento.texto.trim() !== '') return naEtapa(turno, state, { ...semMidia(evento) })
  return { state: { ...state, ...turno.memoria }, effects: dizer(turno, FRASES.soTexto) }
}

function semMidia({ midia: _, ...evento }: MensagemCliente): MensagemCliente {
  return evento
}

/** Quiet for longer than the owner allows: the conversation starts again. */
function expirou({ contexto, agora }: Turno, { ultimaEm }: BotState): boolean {
  return ultimaEm === null || agora - ultimaEm > contexto.config.menu.expiraEmMinutos * 60_000
}
