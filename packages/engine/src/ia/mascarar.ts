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
function maskNumbers(trecho: string): string {
  if (trecho.length < 11) return trecho
  const grupos = [...trecho.matchAll(/\d+/g)].map(({ 0: digitos, index }): DigitGroup => ({
    digits: digitos,
    start: index,
    end: index + digitos.length,
  }))
  let saida = ''
  let copiado = 0
  for (let i = 0; i < grupos.length; i += 1) {
    const achado = findWindow(grupos, i)
    const primeiro = grupos[i]
    if (achado === null || primeiro === undefined) continue
    saida += trecho.slice(copiado, primeiro.start) + achado.oculto
    copiado = achado.fim
    i = achado.ultimo
  }
  return saida + trecho.slice(copiado)
}

/** The longest form is a card of 19 digits in groups of four. */
const GROUPS_MAX = 5

function findWindow(grupos: readonly DigitGroup[], i: number): { oculto: string; fim: number; ultimo: number } | null {
  for (let n = Math.min(GROUPS_MAX, grupos.length - i); n >= 1; n -= 1) {
    const janela = grupos.slice(i, i + n)
    const oculto = recognize(janela.map(({ digits }) => digits))
    const fim = janela.at(-1)?.end
    if (oculto !== null && fim !== undefined) return { oculto, fim, ultimo: i + n - 1 }
  }
  return null
}

/** Group lengths in which people write a CPF. A phone starts with a group of two digits and matches none. */
const CPF_SHAPES: ReadonlySet<string> = new Set(['11', '3,3,3,2', '9,2', '3,3,5', '3,8', '6,5'])
const CARD_SHAPE = /^(?:1[3-9]|4,4,4,[1-4]|4,4,4,4,[1-3]|4,6,[45])$/

function recognize(grupos: readonly string[]): string | null {
  const forma = grupos.map(({ length }) => length).join(',')
  const digitos = grupos.join('')
  if (CPF_SHAPES.has(forma) && isCpf(digitos)) return MASK_LABELS.cpf
  return CARD_SHAPE.test(forma) && isCardNumber(digitos) ? MASK_LABELS.cartao : null
}

/** True for eleven digits with valid check digits. Eleven equal digits are not a CPF. */
export function isCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false
  return [9, 10].every((posicao) => checkDigit(digits.slice(0, posicao)) === Number(digits[posicao]))
}

function checkDigit(base: string): number {
  const soma = [...base].reduce((total, digito, i) => total + Number(digito) * (base.length + 1 - i), 0)
  return ((soma * 10) % 11) % 10
}

/** True for 13 to 19 digits with a valid Luhn check digit. */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits) || /^0+$/.test(digits)) return false
  const soma = [...digits].toReversed().reduce((total, digito, i) => {
    const valor = Number(digito) * (i % 2 === 0 ? 1 : 2)
    return total + (valor > 9 ? valor - 9 : valor)
  }, 0)
  return soma % 10 === 0
}
