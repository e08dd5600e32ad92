import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { ConnectorRow } from '@balcao/contract/connectors'
import type { MenuConfig } from '@balcao/contract/entities/config'
import { type BotEffect, reachesCustomer } from './effect.ts'
import { CAPTION_MAX } from './rules/loja.ts'

/** The effects of one turn as they leave on a line of this connector. Null: a connector that was removed. */
export function effectsOnLine(
  effects: readonly BotEffect[],
  { juntarMensagens }: Pick<MenuConfig, 'juntarMensagens'>,
  connector: Pick<ConnectorRow, 'paidPerMessage'> | null,
): readonly BotEffect[] {
  const joins = juntarMensagens === 'sempre' || (juntarMensagens === 'oficial' && connector?.paidPerMessage === true)
  return joins ? joinMessages(effects) : effects
}

/**
 * Joins the messages that one turn sends next to each other: texts of the same origin up to `TEXTO_MAXIMO` characters, and
 * a picture with the text behind it up to `CAPTION_MAX`. Records between two joined messages follow them.
 */
export function joinMessages(effects: readonly BotEffect[]): BotEffect[] {
  const joined: BotEffect[] = []
  let last = -1
  for (const effect of effects) {
    const before = joined[last]
    const both = before === undefined ? null : joinPair(before, effect)
    if (both !== null) {
      joined[last] = both
      continue
    }
    if (reachesCustomer(effect)) last = joined.length
    joined.push(effect)
  }
  return joined
}

function joinPair(before: BotEffect, after: BotEffect): BotEffect | null {
  if (after.tipo !== 'enviarTexto') return null
  if (before.tipo === 'enviarImagem') {
    const legenda = joinTexts(before.legenda, after.texto)
    return after.origem === 'bot' && legenda.length <= CAPTION_MAX ? { ...before, legenda } : null
  }
  if (before.tipo !== 'enviarTexto' || before.origem !== after.origem) return null
  const texto = joinTexts(before.texto, after.texto)
  return texto.length <= TEXTO_MAXIMO ? { ...before, texto } : null
}

const joinTexts = (before: string, after: string): string => (before === '' ? after : `${before}\n\n${after}`)
