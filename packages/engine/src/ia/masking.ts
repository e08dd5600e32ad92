import { DDD } from '@balcao/contract/entities/telefone'
import { isCpf } from '@balcao/contract/entities/pix-chave'

/**
 * Masks CPF numbers, card numbers, telephones and e-mail addresses before a text goes to the AI provider (LGPD
 * art. 33). Check digits or area code must match, so that order numbers stay readable.
 */

export const MASK_LABELS = {
  cpf: '[CPF oculto]',
  cartao: '[cartão oculto]',
  telefone: '[telefone oculto]',
  email: '[e-mail oculto]',
} as const

// The look-behind starts matches only at the start of a word, which keeps the search linear in long texts.
const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
// Separators as people type them: any dash, slash, comma, parenthesis, space or line break.
const DIGIT_RUNS = /(?<!\d)[+(]{0,2}\d+(?:[\s.,/()\u2010-\u2015-]{1,3}\d+)*/g

/** Replaces every CPF, card number, telephone and e-mail address by a label with its kind. */
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
  if (excerpt.length < DIGITS_MIN) return excerpt
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
    output += excerpt.slice(copied, startOf(excerpt, first.start, found.fim)) + found.oculto
    copied = found.fim
    i = found.ultimo
  }
  return output + excerpt.slice(copied)
}

/** Moves the start before a `+`, and before a parenthesis that closes inside the number. */
function startOf(excerpt: string, digits: number, end: number): number {
  const opens = excerpt.slice(digits, end).includes(')') ? '(+' : '+'
  let start = digits
  while (start > 0 && opens.includes(excerpt.charAt(start - 1))) start -= 1
  return start
}

/** A telephone of a land line with its area code. */
const DIGITS_MIN = 10
/** A card. Windows outside these bounds are passed over quickly: a text may consist of thousands of groups. */
const DIGITS_MAX = 19
/** A card of 19 digits in groups of four, or a telephone with its country code. */
const GROUPS_MAX = 5

function findWindow(groups: readonly DigitGroup[], i: number): { oculto: string; fim: number; ultimo: number } | null {
  for (let n = Math.min(GROUPS_MAX, groups.length - i); n >= 1; n -= 1) {
    const janela = groups.slice(i, i + n)
    const count = janela.reduce((sum, { digits }) => sum + digits.length, 0)
    if (count < DIGITS_MIN || count > DIGITS_MAX) continue
    const oculto = recognize(janela.map(({ digits }) => digits))
    const fim = janela.at(-1)?.end
    if (oculto !== null && fim !== undefined) return { oculto, fim, ultimo: i + n - 1 }
  }
  return null
}

/** Group lengths in which people write a CPF. */
const CPF_SHAPES: ReadonlySet<string> = new Set(['11', '3,3,3,2', '9,2', '3,3,5', '3,8', '6,5'])
const CARD_SHAPE = /^(?:1[3-9]|4,4,4,[1-4]|4,4,4,4,[1-3]|4,6,[45])$/

function recognize(groups: readonly string[]): string | null {
  const shape = groups.map(({ length }) => length).join(',')
  const digitos = groups.join('')
  if (CPF_SHAPES.has(shape) && isCpf(digitos)) return MASK_LABELS.cpf
  if (PHONE_SHAPE.test(shape) && isPhone(groups)) return MASK_LABELS.telefone
  return CARD_SHAPE.test(shape) && isCardNumber(digitos) ? MASK_LABELS.cartao : null
}

const SUBSCRIBER = '(?:9|8|5,4|4,4|1,8|1,4,4|3,3,3)'
/**
 * Group lengths in which people write a telephone with its area code. Other groups stay readable: `34 36 38 40 42` is
 * a list of sizes.
 */
const PHONE_SHAPE = new RegExp(
  `^(?:1[0-3]|(?:2,)?[23],${SUBSCRIBER}|4,${SUBSCRIBER}|(?:2,)?(?:1[01]|[67],4|3,4,4)|[89],4)$`,
)
const PHONE = new RegExp(`^(?:55)?${DDD}(?:9\\d{8}|[2-5]\\d{7})$`)

/** True for a Brazilian mobile or land line with its area code. A separate area code may begin with 0. */
function isPhone(groups: readonly string[]): boolean {
  const [first = '', ...rest] = groups
  return PHONE.test([rest.length > 0 && first.length === 3 ? first.replace(/^0/, '') : first, ...rest].join(''))
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
