/**
 * Masks CPF numbers, card numbers and e-mail addresses before a text goes to the AI provider (LGPD art. 33). Check
 * digits must match, so that order numbers and phones stay readable.
 */

export const OCULTO = { cpf: '[CPF oculto]', cartao: '[cartão oculto]', email: '[e-mail oculto]' } as const

// The look-behind starts matches only at the start of a word, which keeps the search linear in long texts.
const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
// Separators as people type them: any dash, slash, comma, space or line break.
const NUMEROS = /(?<!\d)\d+(?:[\s.,/\u2010-\u2015-]{1,2}\d+)*/g

/** Replaces every CPF, card number and e-mail address by a label with its kind. */
export function mascarar(texto: string): string {
  return texto.replace(EMAIL, OCULTO.email).replace(NUMEROS, mascararNumeros)
}

interface Grupo {
  readonly digitos: string
  readonly inicio: number
  readonly fim: number
}

/** In a run of digit groups, tries windows of neighbouring groups, longest first. */
function mascararNumeros(trecho: string): string {
  if (trecho.length < 11) return trecho
  const grupos = [...trecho.matchAll(/\d+/g)].map(({ 0: digitos, index }): Grupo => ({
    digitos,
    inicio: index,
    fim: index + digitos.length,
  }))
  let saida = ''
  let copiado = 0
  for (let i = 0; i < grupos.length; i += 1) {
    const achado = acharJanela(grupos, i)
    const primeiro = grupos[i]
    if (achado === null || primeiro === undefined) continue
    saida += trecho.slice(copiado, primeiro.inicio) + achado.oculto
    copiado = achado.fim
    i = achado.ultimo
  }
  return saida + trecho.slice(copiado)
}

/** The longest form is a card of 19 digits in groups of four. */
const GRUPOS_MAXIMO = 5

function acharJanela(grupos: readonly Grupo[], i: number): { oculto: string; fim: number; ultimo: number } | null {
  for (let n = Math.min(GRUPOS_MAXIMO, grupos.length - i); n >= 1; n -= 1) {
    const janela = grupos.slice(i, i + n)
    const oculto = reconhecer(janela.map(({ digitos }) => digitos))
    const fim = janela.at(-1)?.fim
    if (oculto !== null && fim !== undefined) return { oculto, fim, ultimo: i + n - 1 }
  }
  return null
}

/** Group lengths in which people write a CPF. A phone starts with a group of two digits and matches none. */
const FORMAS_CPF: ReadonlySet<string> = new Set(['11', '3,3,3,2', '9,2', '3,3,5', '3,8', '6,5'])
const FORMA_CARTAO = /^(?:1[3-9]|4,4,4,[1-4]|4,4,4,4,[1-3]|4,6,[45])$/

function reconhecer(grupos: readonly string[]): string | null {
  const forma = grupos.map(({ length }) => length).join(',')
  const digitos = grupos.join('')
  if (FORMAS_CPF.has(forma) && ehCpf(digitos)) return OCULTO.cpf
  return FORMA_CARTAO.test(forma) && ehCartao(digitos) ? OCULTO.cartao : null
}

/** True for eleven digits with valid check digits. Eleven equal digits are not a CPF. */
export function ehCpf(digitos: string): boolean {
  if (!/^\d{11}$/.test(digitos) || /^(\d)\1+$/.test(digitos)) return false
  return [9, 10].every((posicao) => verificador(digitos.slice(0, posicao)) === Number(digitos[posicao]))
}

function verificador(base: string): number {
  const soma = [...base].reduce((total, digito, i) => total + Number(digito) * (base.length + 1 - i), 0)
  return ((soma * 10) % 11) % 10
}

/** True for 13 to 19 digits with a valid Luhn check digit. */
export function ehCartao(digitos: string): boolean {
  if (!/^\d{13,19}$/.test(digitos) || /^0+$/.test(digitos)) return false
  const soma = [...digitos].toReversed().reduce((total, digito, i) => {
    const valor = Number(digito) * (i % 2 === 0 ? 1 : 2)
    return total + (valor > 9 ? valor - 9 : valor)
  }, 0)
  return soma % 10 === 0
}
