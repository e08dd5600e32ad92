import { aviso, type BotEffect } from '#effect.ts'
import type { MensagemCliente, RespostaIa } from '#event.ts'
import { FRASES } from '#frases.ts'
import { limparResposta } from '#ia/resposta.ts'
import { ehDespedida, ehSaudacao, palavras } from '#rules/texto.ts'
import type { BotState } from '#state.ts'
import { dizer, dizerAlgum, mostrarMenu, type Resultado, type Turno } from '#turno.ts'
import { chamarAtendente } from './humano.ts'

/** Asks the AI; until it answers nothing else changes but the awaited question. */
export function perguntar(turno: Turno, evento: MensagemCliente, etapa: 'menu' | 'ia'): Resultado {
  const esperaMs = turno.contexto.config.ia.esperaSegundos * 1000
  return {
    state: { ...turno.memoria, etapa, erros: 0, pergunta: evento.id },
    effects: [{ tipo: 'perguntarIa', perguntaId: evento.id, esperaMs }],
  }
}

/** Whether the AI may be given this picture or recording. */
export function iaLe({ contexto }: Turno, { midia }: MensagemCliente): boolean {
  return contexto.iaDisponivel && contexto.iaLeMidia === true && (midia === 'audio' || midia === 'imagem')
}

/** The AI was wanted and is off or has no key: said kindly, logged for the owner, and the menu again. */
export function semIa(turno: Turno): Resultado {
  const { naoEntendi } = turno.contexto.config.ia.respostasPredefinidas
  const log = aviso('Um cliente pediu a IA, mas ela está desativada ou sem API Key. Ative-a na aba IA.')
  return mostrarMenu({ ...turno, memoria: { ...turno.memoria, erros: 0 } }, [...dizer(turno, naoEntendi), log])
}

/** Option of kind `ia`. */
export function entrarNaIa(turno: Turno, resposta: string): Resultado {
  if (!turno.contexto.iaDisponivel) return semIa(turno)
  const { cumprimento } = turno.contexto.config.ia.respostasPredefinidas
  const effects = dizerAlgum(turno, resposta, cumprimento, FRASES.iaPronta)
  return { state: { ...turno.memoria, etapa: 'ia', erros: 0, pergunta: null }, effects }
}

/** The customer talks to the AI: numbers are their text, only `0` and `sair` lead back. */
export function naIa(turno: Turno, evento: MensagemCliente): Resultado {
  const { respostasPredefinidas } = turno.contexto.config.ia
  const palavra = palavras(evento.texto).join(' ')
  if (palavra === '0' || palavra === 'sair') return mostrarMenu(turno)
  if (!turno.contexto.iaDisponivel) return semIa(turno)
  const pronta = ehSaudacao(evento.texto)
    ? respostasPredefinidas.cumprimento
    : ehDespedida(evento.texto)
      ? respostasPredefinidas.despedida
      : ''
  const dito = dizer(turno, pronta)
  // While a question waits, a greeting is one more piece of it: answering only the greeting would swallow the question.
  if (dito.length === 0 || turno.memoria.pergunta !== null) return perguntar(turno, evento, 'ia')
  return { state: { ...turno.memoria, etapa: 'ia' }, effects: dito }
}

/** The answer of the one question that is awaited; the caller dropped every other. */
export function responderDaIa(turno: Turno, state: BotState, { resultado }: RespostaIa): Resultado {
  const respondida: BotState = { ...state, pergunta: null }
  const { naoEntendi, transferirHumano } = turno.contexto.config.ia.respostasPredefinidas
  switch (resultado.tipo) {
    case 'transferir':
      return chamarAtendente(turno, resultado.setor, transferirHumano)
    case 'texto': {
      // What a model writes is foreign text: cleaned before a customer reads it.
      const texto = limparResposta(resultado.texto)
      if (texto !== '') return { state: respondida, effects: [{ tipo: 'enviarTexto', texto, origem: 'ia' }] }
      return falhou(turno, respondida, naoEntendi, 'a resposta veio vazia')
    }
    case 'falha':
      return falhou(turno, respondida, naoEntendi, resultado.motivo)
  }
}

function falhou(turno: Turno, state: BotState, naoEntendi: string, motivo: string): Resultado {
  const log: BotEffect = {
    tipo: 'registrarLog',
    nivel: 'error',
    mensagem: `A IA não respondeu a um cliente: ${motivo}.`,
  }
  const frase = dizer(turno, naoEntendi)
  // The owner may have emptied the canned reply: the customer still hears something.
  return frase.length > 0 ? { state, effects: [...frase, log] } : mostrarMenu(turno, [log])
}
