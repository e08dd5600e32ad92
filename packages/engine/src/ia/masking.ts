/**
 * Masks CPF numbers, card numbers and e-mail addresses before a text goes to the AI provider (LGPD art. 33). Check
 * digits must match, so that order numbers and phones stay readable.
 */

export const MASK_LABELS = { cpf: '[CPF oculto]', cartao: '[cartão oculto]', email: '[e-mail oculto]' } as const

// The look-behind starts matches only at the start of a word, which keeps the search linear in long texts.
const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
// Separators as people type them: any dash, slash, comma, space or line break.
const DIGIT_RUNS = /(?<!\d)\d+(?:[\s.,/\u2010-\u2015-]{1,2}\d+)*/g

/** Replaces every CPF, card number and e-mail address by a label with its kind. */
export function maskPersonalData(text: string): string {
  return text.replace(EMAIL, MASK_LABELS.email).replace(DIGIT_RUNS, maskNumbers)
}

interface DigitGroup {
  readonly digits: string
  readonly start: number
  readonly end: number
}

/** In a run of digit groups, tries windows of neighbouring groups, longest first. */
function maskNumbers(excerpt: string): string {
  if (excerpt.length < 11) return excerpt
  const groups = [...excerpt.matchAll(/\d+/g)].map(({ 0: digitos, index }): DigitGroup => ({
    digits: digitos,
    start: index,
    end: index + digitos.length,
  }))
  let output = ''
  let copied = 0
  for (let i = 0; i < groups.length; i += 1) {
    const found = findWindow(groups, i)
    const first = groups[i]
    if (found === null || first === undefined) continue
    output += excerpt.slice(copied, first.start) + found.oculto
    copied = found.fim
    i = found.ultimo
  }
  return output + excerpt.slice(copied)
}

/** The longest form is a card of 19 digits in groups of four. */
const GROUPS_MAX = 5

function findWindow(groups: readonly DigitGroup[], i: number): { oculto: string; fim: number; ultimo: number } | null {
  for (let n = Math.min(GROUPS_MAX, groups.length - i); n >= 1; n -= 1) {
    const janela = groups.slice(i, i + n)
    const oculto = recognize(janela.map(({ digits }) => digits))
    const fim = janela.at(-1)?.end
    if (oculto !== null && fim !== undefined) return { oculto, fim, ultimo: i + n - 1 }
  }
  return null
}

/** Group lengths in which people write a CPF. A phone starts with a group of two digits and matches none. */
const CPF_SHAPES: ReadonlySet<string> = new Set(['11', '3,3,3,2', '9,2', '3,3,5', '3,8', '6,5'])
const CARD_SHAPE = /^(?:1[3-9]|4,4,4,[1-4]|4,4,4,4,[1-3]|4,6,[45])$/

function recognize(groups: readonly string[]): string | null {
  const shape = groups.map(({ length }) => length).join(',')
  const digitos = groups.join('')
  if (CPF_SHAPES.has(shape) && isCpf(digitos)) return MASK_LABELS.cpf
  return CARD_SHAPE.test(shape) && isCardNumber(digitos) ? MASK_LABELS.cartao : null
}

/** True for eleven digits with valid check digits. Eleven equal digits are not a CPF. */
export function isCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false
  return [9, 10].every((position) => checkDigit(digits.slice(0, position)) === Number(digits[position]))
}

function checkDigit(base: string): number {
  const sum = [...base].reduce((total, digit, i) => total + Number(digit) * (base.length + 1 - i), 0)
  return ((sum * 10) % 11) % 10
}

/** True for 13 to 19 digits with a valid Luhn check digit. */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits) || /^0+$/.test(digits)) return false
  const sum = [...digits].toReversed().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
