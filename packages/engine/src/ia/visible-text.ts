/**
 * Control and invisible characters: a person cannot read them, a model can. The joiner of emojis stays. The last range
 * holds variation selectors in which whole texts are hidden.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2800\u3164\uffa0]|[\u115f\u1160]|[\u{e0100}-\u{e01ef}]/gu
const KEPT = new Set(['\n', '\t', '\u200d'])

/** Removes what a person cannot see from a text that goes to the model. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, (sign) => (KEPT.has(sign) ? sign : ''))
}
