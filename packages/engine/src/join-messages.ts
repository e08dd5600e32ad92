import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { ConnectorRow } from '@balcao/contract/connectors'
import type { MenuConfig } from '@balcao/contract/entities/config'
import { type BotEffect, reachesCustomer } from './effect.ts'
import { CAPTION_MAX } from './rules/loja.ts'

type SentBy = Pick<ConnectorRow, 'paidPerMessage' | 'choices' | 'orderPayments'>

/** The effects of one turn as they leave on a line of this connector. Null: a connector that was removed. */
export function effectsOnLine(
  effects: readonly BotEffect[],
  { juntarMensagens, interativo }: Pick<MenuConfig, 'juntarMensagens' | 'interativo'>,
  connector: SentBy | null,
): readonly BotEffect[] {
  const choices = (interativo ? connector?.choices : null) ?? null
  const leaving = effects.map((effect) =>
    withFittingChoices(connector?.orderPayments === true ? effect : withoutOrder(effect), choices),
  )
  const joins = juntarMensagens === 'sempre' || (juntarMensagens === 'oficial' && connector?.paidPerMessage === true)
  return joins ? joinMessages(leaving, choices?.textMax) : leaving
}

function withoutOrder(effect: BotEffect): BotEffect {
  if (effect.tipo !== 'enviarTexto' || effect.cobranca === undefined) return effect
  const { cobranca: _, ...text } = effect
  return text
}

/** Without its choices when they do not fit: then it leaves as text. */
function withFittingChoices(effect: BotEffect, choices: SentBy['choices']): BotEffect {
  if (effect.tipo !== 'enviarTexto' || effect.escolhas === undefined) return effect
  const { escolhas, ...text } = effect
  const fits = choices !== null && escolhas.length <= choices.most && text.texto.length <= choices.textMax
  return fits ? effect : text
}

/**
 * Joins the messages that one turn sends next to each other: texts up to `TEXTO_MAXIMO` characters, and a picture with
 * the text behind it up to `CAPTION_MAX`. A text with choices joins up to `choicesMax`, so that it keeps them. Records
 * between two joined messages follow them.
 */
export function joinMessages(effects: readonly BotEffect[], choicesMax = TEXTO_MAXIMO): BotEffect[] {
  const joined: BotEffect[] = []
  let last = -1
  for (const effect of effects) {
    const before = joined[last]
    const both =
      before === undefined || isAlone(before) || isAlone(effect) ? null : joinPair(before, effect, choicesMax)
    if (both !== null) {
      joined[last] = both
      continue
    }
    if (reachesCustomer(effect)) last = joined.length
    joined.push(effect)
  }
  return joined
}

const isAlone = (effect: BotEffect): boolean => effect.tipo === 'enviarTexto' && effect.sozinho === true

function joinPair(before: BotEffect, after: BotEffect, choicesMax: number): BotEffect | null {
  if (after.tipo !== 'enviarTexto') return null
  if (before.tipo === 'enviarImagem') {
    const legenda = joinTexts(before.legenda, after.texto)
    const isCaption = after.origem === 'bot' && after.escolhas === undefined && legenda.length <= CAPTION_MAX
    return isCaption ? { ...before, legenda } : null
  }
  if (before.tipo !== 'enviarTexto' || !mayJoin(before, after)) return null
  // The presentation of the AI, a text of the bot, becomes a part of its first answer.
  const origem = before.origem === 'ia' ? before.origem : after.origem
  const both = { ...before, ...after, origem, texto: joinTexts(before.texto, after.texto) }
  return both.texto.length <= (both.escolhas === undefined ? TEXTO_MAXIMO : choicesMax) ? both : null
}

type Text = Extract<BotEffect, { tipo: 'enviarTexto' }>

/** A message has the choices of one text. */
function mayJoin(before: Text, after: Text): boolean {
  return before.escolhas === undefined || after.escolhas === undefined
}

const joinTexts = (before: string, after: string): string => (before === '' ? after : `${before}\n\n${after}`)
