import type { Config, OpcaoMenu } from '@balcao/contract/entities/config'
import { dobrar, fraseDoDono, palavras } from './texto.ts'

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
const TECLA_ANTES_DE_LETRA = /[\ufe0f\u20e3]+(?=\p{L})/gu
/** Quotes, brackets and marks of bold, italic and strike, which customers copy with the number. */
const ENFEITE = /[*_~"'“”‘’()[\]]/g
const NUMERO = /^(?:(?:a )?(?:opcao|numero|nota|produto|n|nº|no|#)[ :.]*)?(\d{1,9}) ?[.)\-!]*$/
const EXTENSO = /^(?:(?:a )?(?:opcao|numero|nota|produto) )?([a-z]+)[.)!]*$/
const NUMERO_COMPRIDO = 40

/**
 * Reads a number in common notations: `1`, `01`, `1.`, `1)`, `*1*`, `1️⃣`, `opção 1`, `um`. Returns null for other
 * texts.
 */
export function lerNumero(texto: string): number | null {
  if (texto.length > NUMERO_COMPRIDO) return null
  const limpo = dobrar(texto.replaceAll('🔟', '10').replace(ENFEITE, ' '))
  const digitos = NUMERO.exec(limpo)?.[1]
  if (digitos !== undefined) return Number(digitos)
  const palavra = EXTENSO.exec(limpo)?.[1] ?? ''
  return Object.hasOwn(POR_EXTENSO, palavra) ? (POR_EXTENSO[palavra] ?? null) : null
}

/** True for a number as read by `lerNumero`, or digits of any length. */
export function ehNumero(texto: string): boolean {
  return lerNumero(texto) !== null || /^\d+$/.test(dobrar(texto).replaceAll(' ', ''))
}

/** Finds the option that a text names by number or title. Returns null if there is none. */
export function acharOpcao(opcoes: readonly OpcaoMenu[], texto: string): OpcaoMenu | null {
  const numero = lerNumero(texto)
  if (numero !== null) {
    // Options '1' and '01' may both exist: an exact match has priority.
    const escrito = texto.trim()
    const exata = opcoes.find((opcao) => opcao.numero === escrito)
    const opcao = exata ?? opcoes.find((outra) => Number(outra.numero) === numero)
    if (opcao !== undefined) return opcao
  }
  return acharTitulo(opcoes, texto)
}

/** Finds the option whose title equals the text, ignoring case, accents, punctuation and emojis. */
export function acharTitulo(opcoes: readonly OpcaoMenu[], texto: string): OpcaoMenu | null {
  const lidas = palavras(texto).join(' ')
  if (lidas !== '') return opcoes.find((opcao) => fraseDoDono(opcao.titulo) === lidas) ?? null
  // A title without words, such as a single emoji.
  const dobrado = dobrar(texto)
  return dobrado === '' ? null : (opcoes.find((opcao) => dobrar(opcao.titulo) === dobrado) ?? null)
}

/** Returns the main menu as sent: the owner's text, then one line per option that no line of the text starts with. */
export function renderMenu({ menu }: Pick<Config, 'menu'>): string {
  const listados = new Set(menu.menuPrincipal.split('\n').map(numeroDaLinha))
  const linhas = menu.opcoes
    .filter((opcao) => !listados.has(Number(opcao.numero)))
    .map((opcao) => `*${opcao.numero}* - ${opcao.titulo}`)
  return linhas.length === 0 ? menu.menuPrincipal : `${menu.menuPrincipal.trimEnd()}\n\n${linhas.join('\n')}`
}

/** Number of the option at the start of a menu line. Null for '8h às 18h', '10:00' and lines without a number. */
function numeroDaLinha(linha: string): number | null {
  const limpa = linha.replace(TECLA_ANTES_DE_LETRA, ' ').replace(TECLA, '')
  const digitos = /^[^\p{L}\p{N}]*(\d{1,3})(?![\p{L}\d]|[:.,/]\d)/u.exec(limpa)?.[1]
  return digitos === undefined ? null : Number(digitos)
}
