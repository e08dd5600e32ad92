import type { Config, OpcaoMenu } from '@balcao/contract/entities/config'
import { dobrar } from './texto.ts'

const POR_EXTENSO: Readonly<Record<string, number>> = {
  zero: 0,
  um: 1,
  uma: 1,
  dois: 2,
  duas: 2,
  tres: 3,
  quatro: 4,
  cinco: 5,
  seis: 6,
  sete: 7,
  oito: 8,
  nove: 9,
  dez: 10,
}

const TECLA = /[\ufe0f\u20e3]/g
const NUMERO = /^(?:(?:a )?(?:opcao|numero|nota|produto|n|nº|no|#)[ :.]*)?(\d{1,9}) ?[.)\-!]*$/
const EXTENSO = /^(?:(?:a )?(?:opcao|numero|nota|produto) )?([a-z]+)[.)!]*$/

/** The number that a text is, in any common writing: `1`, `01`, `1.`, `1)`, `1️⃣`, `opção 1`, `um`. Null when it is anything else. */
export function lerNumero(texto: string): number | null {
  const limpo = dobrar(texto.replaceAll('🔟', '10').replace(TECLA, ''))
  const digitos = NUMERO.exec(limpo)?.[1]
  if (digitos !== undefined) return Number(digitos)
  const palavra = EXTENSO.exec(limpo)?.[1] ?? ''
  return Object.hasOwn(POR_EXTENSO, palavra) ? (POR_EXTENSO[palavra] ?? null) : null
}

/** Whether a text is digits and nothing else, however many. */
export function soDigitos(texto: string): boolean {
  return /^\d+$/.test(texto.replace(TECLA, '').replace(/\s/g, ''))
}

/** The option that a text names by number, or by title (case and accents ignored). */
export function acharOpcao(opcoes: readonly OpcaoMenu[], texto: string): OpcaoMenu | null {
  const numero = lerNumero(texto)
  const porNumero = numero === null ? undefined : opcoes.find((opcao) => Number(opcao.numero) === numero)
  return porNumero ?? acharTitulo(opcoes, texto)
}

export function acharTitulo(opcoes: readonly OpcaoMenu[], texto: string): OpcaoMenu | null {
  const dobrado = dobrar(texto)
  return opcoes.find((opcao) => dobrar(opcao.titulo) === dobrado) ?? null
}

/**
 * The main menu as the customer reads it: the owner's text, then a line for each option that the text does not already
 * list at the start of a line.
 */
export function renderMenu({ menu }: Pick<Config, 'menu'>): string {
  const listados = new Set(menu.menuPrincipal.split('\n').map(numeroDaLinha))
  const linhas = menu.opcoes
    .filter((opcao) => !listados.has(Number(opcao.numero)))
    .map((opcao) => `*${opcao.numero}* - ${opcao.titulo}`)
  return linhas.length === 0 ? menu.menuPrincipal : `${menu.menuPrincipal.trimEnd()}\n\n${linhas.join('\n')}`
}

function numeroDaLinha(linha: string): number | null {
  const digitos = /^[^\p{L}\p{N}]*(\d{1,3})(?!\d)/u.exec(linha.replace(TECLA, ''))?.[1]
  return digitos === undefined ? null : Number(digitos)
}
