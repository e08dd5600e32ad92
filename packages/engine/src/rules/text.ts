import { TEXTO_MAXIMO } from '@balcao/contract/constants'

// Combining marks: accents and the keycap around a digit.
const COMBINING_MARKS = /\p{M}+/gu
const NON_ASCII = /[^ -~\s]/
const NON_WORD = /[^\p{L}\p{N}]+/gu
// U+200D and U+FE0F join the parts of one emoji.
const ONLY_EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\s)+$/u

/**
 * Form in which texts are compared: lower case, no accents, single spaces, ASCII digits. Reads the first 4096
 * characters.
 */
export function foldText(text: string): string {
  const short = text.length > TEXTO_MAXIMO ? text.slice(0, TEXTO_MAXIMO) : text
  // Normalising is the slow part, and most texts are plain ASCII.
  const simple = NON_ASCII.test(short) ? withoutMarks(withoutMarks(short).normalize('NFKD')) : short
  return simple.toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Before and after `normalize`, which needs quadratic time for a long run of marks. */
const withoutMarks = (text: string): string => text.replace(COMBINING_MARKS, '')

/** Words of a text, folded, without punctuation. */
export function wordsOf(text: string): string[] {
  const clean = foldText(text).replace(NON_WORD, ' ').trim()
  return clean === '' ? [] : clean.split(' ')
}

const PHRASE_CACHE_MAX = 20_000
const phraseCache = new Map<string, string>()

/**
 * Folded words of a text of the owner (title, trigger). Cached, because the same texts are compared with every
 * message.
 */
export function foldedPhrase(text: string): string {
  const ready = phraseCache.get(text)
  if (ready !== undefined) return ready
  const sentence = wordsOf(text).join(' ')
  if (phraseCache.size >= PHRASE_CACHE_MAX) phraseCache.clear()
  phraseCache.set(text, sentence)
  return sentence
}

const wordSet = (...listas: readonly string[]): ReadonlySet<string> => new Set(listas.join(' ').split(' '))

const DAYTIME_WORDS = 'dia tarde noite'
const DAYTIMES = wordSet(DAYTIME_WORDS)
const HELLO_WORDS = 'oi oii oiii ola opa eai hey hello salve'
const HELLOS = wordSet(HELLO_WORDS)
const GREETING_WORDS = wordSet(HELLO_WORDS, DAYTIME_WORDS, 'e ai bom boa tudo bem td pessoal gente')
const BYE_WORDS = 'tchau tchauzinho xau adeus bye falou flw'
const BYES = wordSet(BYE_WORDS)
const GOODBYE_WORDS = wordSet(BYE_WORDS, DAYTIME_WORDS, 'ate logo mais breve amanha obrigado obrigada valeu bom boa')
const THANK_WORDS = 'obrigado obrigada obg obgd brigado brigada valeu vlw grato grata agradeco'
const AGREEMENT_WORDS = 'ok okay okey certo beleza blz perfeito show otimo otima legal joia top combinado entendi'
const THANKS = wordSet(THANK_WORDS)
const COURTESIES = wordSet(THANK_WORDS, AGREEMENT_WORDS)
const LINKING_WORDS = 'muito ta tudo bem bom entao de nada por e mesmo demais sim'
const COURTESY_WORDS = wordSet(THANK_WORDS, AGREEMENT_WORDS, LINKING_WORDS)
// After a thank-you more words count as polite, as in 'Obrigada pela atenção, boa noite!'.
const WORDS_AFTER_THANKS = wordSet(
  ...[THANK_WORDS, AGREEMENT_WORDS, LINKING_WORDS, DAYTIME_WORDS, BYE_WORDS],
  'boa fim semana pela pelo atencao ajuda atendimento ate logo mais voce voces vc vcs a o',
)
const COURTESY_PHRASES: ReadonlySet<string> = new Set(['de nada', 'por nada', 'ta bom', 'tudo bem', 'igualmente'])

const allIn = (lista: readonly string[], vocabulario: ReadonlySet<string>): boolean =>
  lista.length > 0 && lista.length <= 8 && lista.every((word) => vocabulario.has(word))

/** True for a greeting without other content: 'oi', 'bom dia!', 'olá, tudo bem?'. */
export function isGreeting(text: string): boolean {
  const lista = wordsOf(text)
  if (!allIn(lista, GREETING_WORDS)) return false
  const [first = '', second = ''] = lista
  return lista.some((word) => HELLOS.has(word)) || ((first === 'bom' || first === 'boa') && DAYTIMES.has(second))
}

/** True for a goodbye without other content: 'tchau', 'até logo'. */
export function isGoodbye(text: string): boolean {
  const lista = wordsOf(text)
  if (!allIn(lista, GOODBYE_WORDS)) return false
  return lista.some((word) => BYES.has(word)) || (lista[0] === 'ate' && lista.length > 1)
}

/** True for politeness that needs no answer: 'ok', 'muito obrigado!', 'tchau', an emoji. Questions never count. */
export function isCourtesy(text: string): boolean {
  if (text.includes('?')) return false
  if (text.trim() !== '' && ONLY_EMOJI.test(text)) return true
  const lista = wordsOf(text)
  return (
    (allIn(lista, COURTESY_WORDS) && lista.some((word) => COURTESIES.has(word))) ||
    (allIn(lista, WORDS_AFTER_THANKS) && lista.some((word) => THANKS.has(word))) ||
    COURTESY_PHRASES.has(lista.join(' ')) ||
    isGoodbye(text)
  )
}

interface WrittenMessage {
  readonly texto: string
  /** A kind of media. */
  readonly midia?: string
}

/** True for a message that needs no answer. Of media only a sticker counts. */
export function isCourtesyMessage({ texto, midia }: WrittenMessage): boolean {
  return midia === undefined ? isCourtesy(texto) : midia === 'figurinha'
}

/** Commands that a customer can write in every stage; null for other texts. */
export function parseCommand(text: string): 'menu' | 'atendente' | null {
  switch (wordsOf(text).join(' ')) {
    case 'menu':
    case 'voltar':
    case 'inicio':
      return 'menu'
    case 'atendente':
    case 'humano':
    case 'falar com atendente':
      return 'atendente'
    default:
      return null
  }
}
