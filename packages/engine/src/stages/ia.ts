import { aviso, type BotEffect } from '#effect.ts'
import type { MensagemCliente, RespostaIa } from '#event.ts'
import { FRASES } from '#frases.ts'
import { limparResposta } from '#ia/resposta.ts'
import { ehDespedida, ehSaudacao, palavras } from '#rules/texto.ts'
import type { BotState } from '#state.ts'
import { dizer, dizerAlgum, mostrarMenu, type Resultado, type Turno } from '#turno.ts'
import { chamarAtendente } from './humano.ts'

/** Asks the AI. Only the awaited question changes until the answer arrives. */
export function perguntar(turno: Turno, evento: MensagemCliente, etapa: 'menu' | 'ia'): Resultado {
  const esperaMs = turno.contexto.config.ia.esperaSegundos * 1000
  return {
    state: { ...turno.memoria, etapa, erros: 0, pergunta: evento.id },
    effects: [{ tipo: 'perguntarIa', perguntaId: evento.id, esperaMs }],
  }
}

/** True if the AI can read this media. */
export function iaLe({ contexto }: Turno, { midia }: MensagemCliente): boolean {
  return contexto.iaDisponivel && contexto.iaLeMidia === true && (midia === 'audio' || midia === 'imagem')
}

/** Answers when the AI is off or has no key: a polite text, a warning for the owner, and the menu. */
export function semIa(turno: Turno): Resultado {
  const { naoEntendi } = turno.contexto.config.ia.respostasPredefinidas
  const log = aviso('Um cliente pediu a IA, mas ela está desativada ou sem API Key. Ative-a na aba IA.')
  return mostrarMenu({ ...turno, memoria: { ...turno.memoria, erros: 0 } }, [...dizer(turno, naoEntendi), log])
}

export function entrarNaIa(turno: Turno, resposta: string): Resultado {
  if (!turno.contexto.iaDisponivel) return semIa(turno)
  const { cumprimento } = turno.contexto.config.ia.respostasPredefinidas
  const effects = dizerAlgum(turno, resposta, cumprimento, FRASES.iaPronta)
  return { state: { ...turno.memoria, etapa: 'ia', erros: 0, pergunta: null }, effects }
}

/** Handles a message in the AI stage. Numbers go to the AI; only `0` and `sair` return to the menu. */
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
  // A greeting sent while a question waits is part of that question; answering it would drop the question.
  if (dito.length === 0 || turno.memoria.pergunta !== null) return perguntar(turno, evento, 'ia')
  return { state: { ...turno.memoria, etapa: 'ia' }, effects: dito }
}

/** Handles the answer to the awaited question. The caller drops answers to other questions. */
export function responderDaIa(turno: Turno, state: BotState, { resultado }: RespostaIa): Resultado {
  const respondida: BotState = { ...state, pergunta: null }
  const { naoEntendi, transferirHumano } = turno.contexto.config.ia.respostasPredefinidas
  switch (resultado.tipo) {
    case 'transferir':
      return chamarAtendente(turno, resultado.setor, transferirHumano)
    case 'texto': {
      // Output of a model is untrusted and must be cleaned before sending.
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
  // If the owner emptied this text, the menu is sent instead, so that the customer gets an answer.
  return frase.length > 0 ? { state, effects: [...frase, log] } : mostrarMenu(turno, [log])
}
