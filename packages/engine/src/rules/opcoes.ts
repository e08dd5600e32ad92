import type { Config, OpcaoMenu } from '@balcao/contract/entities/config'
import { foldText, foldedPhrase, wordsOf } from './text.ts'

const NUMBER_WORDS: Readonly<Record<string, number>> = {
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

const KEYCAP = /[\ufe0f\u20e3]/g
/** The look-behind starts matches only at the start of a run, so a long run takes linear time. */
const KEYCAP_BEFORE_LETTER = /(?<![\ufe0f\u20e3])[\ufe0f\u20e3]+(?=\p{L})/gu
/** Quotes, brackets and marks of bold, italic and strike, which customers copy with the number. */
const DECORATION = /[*_~"'“”‘’()[\]]/g
const DIGITS_PATTERN = /^(?:(?:a )?(?:opcao|numero|nota|produto|n|nº|no|#)[ :.]*)?(\d{1,9}) ?[.)\-!]*$/
const WORD_PATTERN = /^(?:(?:a )?(?:opcao|numero|nota|produto) )?([a-z]+)[.)!]*$/
const NUMBER_TEXT_MAX = 40

/**
 * Reads a number in common notations: `1`, `01`, `1.`, `1)`, `*1*`, `1️⃣`, `opção 1`, `um`. Returns null for other
 * texts.
 */
export function parseNumberText(text: string): number | null {
  if (text.length > NUMBER_TEXT_MAX) return null
  const clean = foldText(text.replaceAll('🔟', '10').replace(DECORATION, ' '))
  const digits = DIGITS_PATTERN.exec(clean)?.[1]
  if (digits !== undefined) return Number(digits)
  const word = WORD_PATTERN.exec(clean)?.[1] ?? ''
  return Object.hasOwn(NUMBER_WORDS, word) ? (NUMBER_WORDS[word] ?? null) : null
}

/** True for a number as read by `parseNumberText`, or digits of any length. */
export function isNumberText(text: string): boolean {
  return parseNumberText(text) !== null || /^\d+$/.test(foldText(text).replaceAll(' ', ''))
}

/** Finds the option that a text names by number or title. Returns null if there is none. */
export function findOpcao(opcoes: readonly OpcaoMenu[], text: string): OpcaoMenu | null {
  const numero = parseNumberText(text)
  if (numero !== null) {
    // Options '1' and '01' may both exist: an exact match has priority.
    const written = text.trim()
    const exata = opcoes.find((opcao) => opcao.numero === written)
    const opcao = exata ?? opcoes.find((other) => Number(other.numero) === numero)
    if (opcao !== undefined) return opcao
  }
  return findOpcaoByTitle(opcoes, text)
}

/** Finds the option whose title equals the text, ignoring case, accents, punctuation and emojis. */
export function findOpcaoByTitle(opcoes: readonly OpcaoMenu[], text: string): OpcaoMenu | null {
  const parsed = wordsOf(text).join(' ')
  if (parsed !== '') return opcoes.find((opcao) => foldedPhrase(opcao.titulo) === parsed) ?? null
  // A title without words, such as a single emoji.
  const dobrado = foldText(text)
  return dobrado === '' ? null : (opcoes.find((opcao) => foldText(opcao.titulo) === dobrado) ?? null)
}

/** Returns the main menu as sent: the owner's text, then one line per option that no line of the text starts with. */
export function renderMenu({ menu }: Pick<Config, 'menu'>): string {
  const listados = new Set(menu.menuPrincipal.split('\n').map(opcaoNumberOfLine))
  const lines = menu.opcoes
    .filter((opcao) => !listados.has(Number(opcao.numero)))
    .map((opcao) => `*${opcao.numero}* - ${opcao.titulo}`)
  return lines.length === 0 ? menu.menuPrincipal : `${menu.menuPrincipal.trimEnd()}\n\n${lines.join('\n')}`
}

/** Number of the option at the start of a menu line. Null for '8h às 18h', '10:00' and lines without a number. */
function opcaoNumberOfLine(line: string): number | null {
  return readOpcaoLine(line)?.numero ?? null
}

export interface OpcaoLine {
  readonly numero: number
  /** Text behind the number, with its separator. */
  readonly rest: string
}

/** Reads a line of the menu's text that starts with a number, as `renderMenu` does. */
export function readOpcaoLine(line: string): OpcaoLine | null {
  const limpa = line.replace(KEYCAP_BEFORE_LETTER, ' ').replace(KEYCAP, '')
  const found = /^[^\p{L}\p{N}]*(\d{1,3})(?![\p{L}\d]|[:.,/]\d)/u.exec(limpa)
  const digits = found?.[1]
  return found === null || digits === undefined ? null : { numero: Number(digits), rest: limpa.slice(found[0].length) }
}
