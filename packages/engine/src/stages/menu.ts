import type { OpcaoMenu } from '@balcao/contract/entities/config'
import { type BotEffect, textEffect, withGap } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { PHRASES } from '#phrases.ts'
import { containsGatilho } from '#rules/gatilhos.ts'
import { findOpcao, isNumberText } from '#rules/opcoes.ts'
import { sayText, sayFirst, endedState, showMenu, type StepResult, type EngineTurn } from '#engine-turn.ts'
import { handToPeople } from './humano.ts'
import { enterIa, askIa } from './ia.ts'
import { enterLoja, orderAtMenu } from './loja.ts'

/** Tries an exact option, then a trigger, an order, then `sempreResponder`. Returns null if none applies. */
export function matchMenuText(turn: EngineTurn, event: MensagemCliente): StepResult | null {
  const { menu, ia } = turn.context.config
  const opcao = findOpcao(menu.opcoes, event.texto)
  if (opcao !== null) return chooseOpcao({ ...turn, memory: { ...turn.memory, erros: 0 } }, opcao)
  const iaMayAnswer = turn.context.iaAvailable && !isNumberText(event.texto)
  if (iaMayAnswer && containsGatilho(ia.gatilhos, event.texto)) return askIa(turn, event, 'ia')
  const ordered = orderAtMenu(turn, event)
  if (ordered !== null) return ordered
  return iaMayAnswer && ia.comportamentos.sempreResponder ? askIa(turn, event, 'menu') : null
}

export function answerInMenu(turn: EngineTurn, event: MensagemCliente): StepResult {
  const { opcaoInvalida, semEntender } = turn.context.config.menu.mensagens
  return matchMenuText(turn, event) ?? answerMiss(turn, isNumberText(event.texto) ? opcaoInvalida : semEntender)
}

export function chooseOpcao(turn: EngineTurn, opcao: OpcaoMenu): StepResult {
  const { mensagens } = turn.context.config.menu
  switch (opcao.tipo) {
    case 'ia':
      return enterIa(turn, opcao.resposta)
    case 'humano':
      return handToPeople(turn, opcao.setor ?? 'geral', opcao.resposta)
    case 'mensagem': {
      const reply = sayText(turn, opcao.resposta)
      // An option without reply shows the menu, so that the customer gets an answer.
      if (reply.length === 0) return showMenu(turn)
      return { state: { ...turn.memory, etapa: 'menu', pergunta: null }, effects: reply }
    }
    case 'menu':
      return showMenu(turn, sayText(turn, opcao.resposta))
    case 'loja':
      return enterLoja(turn, opcao.resposta)
    case 'finalizar': {
      const goodbye = sayFirst(turn, mensagens.despedida, PHRASES.ateLogo)
      return { state: endedState(turn), effects: [...goodbye, { tipo: 'finalizarConversa' }] }
    }
  }
}

/** Not understood: the given text, the menu, and after `tentativas` times in a row the offer of a person. */
function answerMiss(turno: EngineTurn, sentence: string): StepResult {
  const errors = turno.memory.erros + 1
  const oferece = errors >= turno.context.config.menu.tentativas
  const result = showMenu(
    { ...turno, memory: { ...turno.memory, erros: oferece ? 0 : errors } },
    sayText(turno, sentence),
  )
  const offer: BotEffect[] = oferece ? [textEffect(PHRASES.oferecerAtendente)] : []
  return { ...result, effects: [...withGap(result.effects, 'semEntender'), ...offer] }
}
