import { type BotEffect, textEffect } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { PHRASES } from '#phrases.ts'
import { isGatilho } from '#rules/gatilhos.ts'
import { findOpcaoByTitle } from '#rules/opcoes.ts'
import { parseCommand } from '#rules/text.ts'
import { sayText, showMenu, type StepResult, type EngineTurn } from '#engine-turn.ts'
import { handToPeople } from './humano.ts'
import { iaReads, askIa } from './ia.ts'
import { chooseOpcao } from './menu.ts'
import { orderAtMenu } from './loja.ts'
import { answerCartCode } from './page-cart.ts'

/**
 * Handles the first message, or the first after a long silence: greeting, then menu. A text equal to a title,
 * trigger or hand-off word, and an order, is obeyed after the greeting. A number is not, because the customer has not
 * seen the menu.
 */
export function answerAtStart(previous: EngineTurn, event: MensagemCliente): StepResult {
  const { turno, ditas } = buildGreeting({ ...previous, memory: { ...previous.memory, erros: 0, pergunta: null } })
  const obedecido = obeyFirstMessage(turno, event)
  if (obedecido === null) return showMenu(turno, [...ditas, ...mediaHint(turno, event)])
  return { ...obedecido, effects: [...ditas, ...obedecido.effects] }
}

/** Sends greeting and menu for any message. */
export function greet(previous: EngineTurn): StepResult {
  const { turno, ditas } = buildGreeting(previous)
  return showMenu(turno, ditas)
}

function buildGreeting(before: EngineTurn): { readonly turno: EngineTurn; readonly ditas: readonly BotEffect[] } {
  const turno = { ...before, memory: { ...before.memory, apresentada: false } }
  const { context, memory, now } = turno
  const ditas = sayText(turno, context.config.menu.mensagens.boasVindas)
  const aviso = memory.avisadoEm === null ? sayText(turno, context.avisoPrivacidade ?? '') : []
  if (aviso.length === 0) return { turno, ditas }
  return {
    turno: { ...turno, memory: { ...memory, avisadoEm: now } },
    ditas: [...ditas, ...aviso, { tipo: 'registrarConsentimento', ato: 'aviso' }],
  }
}

/**
 * Media without text that the AI cannot read gets a hint that the bot reads only text. A sticker counts as a
 * greeting.
 */
function mediaHint(turno: EngineTurn, evento: MensagemCliente): BotEffect[] {
  const semPalavras = evento.midia !== undefined && evento.midia !== 'figurinha' && evento.texto.trim() === ''
  return semPalavras && !iaReads(turno, evento) ? [textEffect(PHRASES.soTexto)] : []
}

function obeyFirstMessage(turno: EngineTurn, evento: MensagemCliente): StepResult | null {
  const paged = answerCartCode(turno, evento)
  if (paged !== null) return paged
  const { menu, ia } = turno.context.config
  const order = parseCommand(evento.texto)
  if (order === 'atendente') return handToPeople(turno, 'geral', '')
  // The menu follows the greeting anyway; an option or trigger called `menu` must not replace it.
  if (order === 'menu') return null
  const opcao = findOpcaoByTitle(menu.opcoes, evento.texto)
  if (opcao !== null) return chooseOpcao(turno, opcao)
  if (turno.context.iaAvailable && isGatilho(ia.gatilhos, evento.texto)) return askIa(turno, evento, 'ia')
  return orderAtMenu(turno, evento)
}
