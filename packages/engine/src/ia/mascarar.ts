/**
 * What must not leave to the AI provider: CPF numbers, card numbers and e-mail addresses (LGPD art. 33). Pure; a CPF counts only
 * with its check digits and a card only with Luhn's sum, so that order numbers and telephones stay readable.
 */

export const OCULTO = { cpf: '[CPF oculto]', cartao: '[cartão oculto]', email: '[e-mail oculto]' } as const

// The look-behind lets a match begin only where a word begins: one pass, however long the text.
const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
// As people part them: also with a slash or a comma by mistake, any dash, and over two lines.
const NUMEROS = /(?<!\d)\d+(?:[\s.,/\u2010-\u2015-]{1,2}\d+)*/g

/** The text with every CPF, card number and e-mail address replaced by what it was. */
export function mascarar(texto: string): string {
  return texto.replace(EMAIL, OCULTO.email).replace(NUMEROS, mascararNumeros)
}

interface Grupo {
  readonly digitos: string
  readonly inicio: number
  readonly fim: number
}

/** A run of digit groups: windows of neighbouring groups are tried, the longest first. */
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

/** A card of 19 digits in groups of four is five groups; nothing that is looked for has more. */
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

/** Groups as people write them; a telephone, which begins with two digits, is none of these. */
const FORMAS_CPF: ReadonlySet<string> = new Set(['11', '3,3,3,2', '9,2', '3,3,5', '3,8', '6,5'])
const FORMA_CARTAO = /^(?:1[3-9]|4,4,4,[1-4]|4,4,4,4,[1-3]|4,6,[45])$/

function reconhecer(grupos: readonly string[]): string | null {
  const forma = grupos.map(({ length }) => length).join(',')
  const digitos = grupos.join('')
  if (FORMAS_CPF.has(forma) && ehCpf(digitos)) return OCULTO.cpf
  return FORMA_CARTAO.test(forma) && ehCartao(digitos) ? OCULTO.cartao : null
}

/** Eleven digits whose last two are the check digits of the others; eleven equal ones are nobody's. */
export function ehCpf(digitos: string): boolean {
  if (!/^\d{11}$/.test(digitos) || /^(\d)\1+$/.test(digitos)) return false
  return [9, 10].every((posicao) => verificador(digitos.slice(0, posicao)) === Number(digitos[posicao]))
}

function verificador(base: string): number {
  const soma = [...base].reduce((total, digito, i) => total + Number(digito) * (base.length + 1 - i), 0)
  return ((soma * 10) % 11) % 10
}

/** Thirteen to nineteen digits with Luhn's check digit. */
export function ehCartao(digitos: string): boolean {
  if (!/^\d{13,19}$/.test(digitos) || /^0+$/.test(digitos)) return false
  const soma = [...digitos].toReversed().reduce((total, digito, i) => {
    const valor = Number(digito) * (i % 2 === 0 ? 1 : 2)
    return total + (valor > 9 ? valor - 9 : valor)
  }, 0)
  return soma % 10 === 0
}
