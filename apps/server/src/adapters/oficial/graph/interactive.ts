import { CONNECTORS } from '@balcao/contract/connectors'
import type { Escolha } from '@balcao/contract/entities/mensagem'

const BUTTONS_MAX = 3
const BUTTON_TITLE_MAX = 20
const ROW_TITLE_MAX = 24
const ROW_DESCRIPTION_MAX = 72
const LIST_BUTTON = 'Ver opções'

/** Meta's buttons for up to 3 choices, else its list. Null: Meta would refuse them, so the message leaves as text. */
export function buildInteractiveBody(texto: string, escolhas: readonly Escolha[]): object | null {
  const { most = 0, textMax = 0 } = CONNECTORS.oficial.choices ?? {}
  const choices = escolhas.map(({ id, titulo }) => ({ id, title: plainTitle(titulo) }))
  const empty = choices.length === 0 || choices.some(({ title }) => title === '') || texto.trim() === ''
  if (empty || choices.length > most || texto.length > textMax) return null
  const action = buttonsOf(choices) ?? { button: LIST_BUTTON, sections: [{ rows: choices.map(rowOf) }] }
  const type = 'buttons' in action ? 'button' : 'list'
  return { type: 'interactive', interactive: { type, body: { text: texto }, action } }
}

interface Choice {
  readonly id: string
  readonly title: string
}

/** Null for more than 3 choices, and for titles that are equal when cut: Meta refuses those on buttons. */
function buttonsOf(choices: readonly Choice[]): { readonly buttons: readonly object[] } | null {
  const replies = choices.map(({ id, title }) => ({ id, title: cutTitle(title, BUTTON_TITLE_MAX) }))
  const isUnique = new Set(replies.map(({ title }) => title)).size === replies.length
  if (replies.length > BUTTONS_MAX || !isUnique) return null
  return { buttons: replies.map((reply) => ({ type: 'reply', reply })) }
}

/** A title that is cut stands below it at more length. */
function rowOf({ id, title }: Choice): object {
  const short = cutTitle(title, ROW_TITLE_MAX)
  return { id, title: short, ...(short === title ? {} : { description: cutTitle(title, ROW_DESCRIPTION_MAX) }) }
}

/** Meta shows the marks of bold, italic and strike in titles as they are. */
function plainTitle(titulo: string): string {
  return titulo
    .replaceAll(/[*_~`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const graphemes = new Intl.Segmenter('pt-BR')

/** Never cuts inside an emoji. */
export function cutTitle(title: string, max: number): string {
  let cut = ''
  for (const { segment } of graphemes.segment(title)) {
    if (cut.length + segment.length > max) break
    cut += segment
  }
  return cut.trimEnd()
}
