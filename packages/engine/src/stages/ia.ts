import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { textEffect, warningEffect, withGap, type BotEffect } from '#effect.ts'
import type { MensagemCliente, RespostaIaEvent } from '#event.ts'
import { PHRASES } from '#phrases.ts'
import { cleanResposta } from '#ia/resposta.ts'
import { fillPlaceholders } from '#rules/placeholders.ts'
import { isGoodbye, isGreeting, wordsOf } from '#rules/text.ts'
import type { BotState } from '#state.ts'
import { sayText, sayFirst, showMenu, type StepResult, type EngineTurn } from '#engine-turn.ts'
import { handToPeople } from './humano.ts'

/** Asks the AI. Only the awaited question changes until the answer arrives. */
export function askIa(turn: EngineTurn, event: MensagemCliente, etapa: 'menu' | 'ia'): StepResult {
  const esperaMs = turn.context.config.ia.esperaSegundos * 1000
  return {
    state: { ...turn.memory, etapa, erros: 0, pergunta: event.id },
    effects: [{ tipo: 'perguntarIa', perguntaId: event.id, esperaMs }],
  }
}

/** True if the AI can read this media. */
export function iaReads({ context }: EngineTurn, { midia }: MensagemCliente): boolean {
  return context.iaAvailable && context.iaReadsMidia?.some((readable) => readable === midia) === true
}

/** Answers when the AI is off or has no key: a polite text, a warning for the owner, and the menu. */
export function answerWithoutIa(turn: EngineTurn): StepResult {
  const { naoEntendi } = turn.context.config.ia.respostasPredefinidas
  const log = warningEffect(
    'Um cliente pediu a IA, mas ela está desativada, sem API Key ou sem orçamento. Confira a aba IA.',
  )
  return showMenu({ ...turn, memory: { ...turn.memory, erros: 0 } }, [...sayText(turn, naoEntendi), log])
}

export function enterIa(turn: EngineTurn, reply: string): StepResult {
  if (!turn.context.iaAvailable) return answerWithoutIa(turn)
  const { cumprimento } = turn.context.config.ia.respostasPredefinidas
  const effects = sayFirst(turn, reply, cumprimento, PHRASES.iaPronta)
  return { state: { ...turn.memory, etapa: 'ia', erros: 0, pergunta: null }, effects }
}

/** Handles a message in the AI stage. Numbers go to the AI; only `0` and `sair` return to the menu. */
export function answerInIa(turn: EngineTurn, event: MensagemCliente): StepResult {
  const { respostasPredefinidas } = turn.context.config.ia
  const word = wordsOf(event.texto).join(' ')
  if (word === '0' || word === 'sair') return showMenu(turn)
  if (!turn.context.iaAvailable) return asGap(answerWithoutIa(turn))
  const ready = isGreeting(event.texto)
    ? respostasPredefinidas.cumprimento
    : isGoodbye(event.texto)
      ? respostasPredefinidas.despedida
      : ''
  const said = sayText(turn, ready)
  // A greeting sent while a question waits is part of that question; answering it would drop the question.
  if (said.length === 0 || turn.memory.pergunta !== null) return askIa(turn, event, 'ia')
  return { state: { ...turn.memory, etapa: 'ia' }, effects: said }
}

/** Handles the answer to the awaited question. The caller drops answers to other questions. */
export function handleIaAnswer(turn: EngineTurn, state: BotState, { resultado }: RespostaIaEvent): StepResult {
  const answered: BotState = { ...state, pergunta: null }
  const { naoEntendi, transferirHumano } = turn.context.config.ia.respostasPredefinidas
  switch (resultado.tipo) {
    case 'transferir':
      return handToPeople(turn, resultado.setor, transferirHumano)
    case 'texto': {
      // Output of a model is untrusted and must be cleaned before sending.
      const texto = cleanResposta(resultado.texto)
      if (texto !== '') return sayAnswer(turn, answered, texto)
      return answerIaFailure(turn, answered, naoEntendi, 'a resposta veio vazia')
    }
    case 'falha':
      return answerIaFailure(turn, answered, naoEntendi, resultado.motivo)
    case 'retida':
      return answerWithheld(turn, answered, resultado.motivo)
  }
}

/** An answer without support is not sent. The customer goes to people, unless the owner wants only the sentence. */
function answerWithheld(turn: EngineTurn, answered: BotState, motivo: string): StepResult {
  const { transferirSemApoio, respostasPredefinidas } = turn.context.config.ia
  const after = transferirSemApoio ? 'O cliente foi encaminhado para uma pessoa.' : 'O cliente continua com o bot.'
  const log = warningEffect(
    `A IA ia responder algo que a loja não informou (${motivo}). A resposta não foi enviada. ${after}`,
  )
  // The panel explains messages of the AI, so that the owner finds the withheld answer behind this one.
  const sentence = sayText(turn, respostasPredefinidas.naoEntendi).map((effect): BotEffect =>
    effect.tipo === 'enviarTexto' ? { ...effect, origem: 'ia' } : effect,
  )
  if (transferirSemApoio) {
    const handed = handToPeople(turn, SETOR_GERAL, respostasPredefinidas.transferirHumano)
    return { state: handed.state, effects: withGap([...sentence, ...handed.effects, log], 'retida') }
  }
  const { state, effects } =
    sentence.length > 0 ? { state: answered, effects: [...sentence, log] } : showMenu(turn, [log])
  return { state, effects: withGap(effects, 'retida') }
}

const NAME_OF_SHOP = /(?: (?:d[aeo]|n[ao]))? ?\{empresa\}/g

/** Before its first answer of a conversation the AI says that it is one. */
function sayAnswer(turn: EngineTurn, state: BotState, texto: string): StepResult {
  const { apresentacao } = turn.context.config.ia
  const named = turn.context.empresa.trim() !== ''
  const full = fillPlaceholders(named ? apresentacao : apresentacao.replaceAll(NAME_OF_SHOP, ''), turn)
  const before = state.apresentada || full.trim() === '' ? [] : [textEffect(full)]
  return {
    state: { ...state, apresentada: true },
    effects: [...before, { tipo: 'enviarTexto', texto, origem: 'ia' }],
  }
}

function answerIaFailure(turno: EngineTurn, state: BotState, naoEntendi: string, motivo: string): StepResult {
  const log: BotEffect = {
    tipo: 'registrarLog',
    nivel: 'error',
    mensagem: `A IA não respondeu a um cliente: ${motivo}.`,
  }
  const sentence = sayText(turno, naoEntendi)
  // If the owner emptied this text, the menu is sent instead, so that the customer gets an answer.
  return asGap(sentence.length > 0 ? { state, effects: [...sentence, log] } : showMenu(turno, [log]))
}

function asGap({ state, effects }: StepResult): StepResult {
  return { state, effects: withGap(effects, 'naoEntendi') }
}
