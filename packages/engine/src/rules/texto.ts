import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { MensagemCliente } from '#event.ts'

// Combining marks: accents and the keycap around a digit.
const MARCAS = /\p{M}/gu
const FORA_DO_ASCII = /[^ -~\s]/
const NAO_PALAVRA = /[^\p{L}\p{N}]+/gu
// U+200D and U+FE0F join the parts of one emoji.
const SO_EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\s)+$/u

/**
 * Form in which texts are compared: lower case, no accents, single spaces, ASCII digits. Reads the first 4096
 * characters.
 */
export function dobrar(texto: string): string {
  const curto = texto.length > TEXTO_MAXIMO ? texto.slice(0, TEXTO_MAXIMO) : texto
  // Normalising is the slow part, and most texts are plain ASCII.
  const simples = FORA_DO_ASCII.test(curto) ? curto.normalize('NFKD').replace(MARCAS, '') : curto
  return simples.toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Words of a text, folded, without punctuation. */
export function palavras(texto: string): string[] {
  const limpo = dobrar(texto).replace(NAO_PALAVRA, ' ').trim()
  return limpo === '' ? [] : limpo.split(' ')
}

const LEMBRADAS = 20_000
const lembradas = new Map<string, string>()

/**
 * Folded words of a text of the owner (title, trigger). Cached, because the same texts are compared with every
 * message.
 */
export function fraseDoDono(texto: string): string {
  const pronta = lembradas.get(texto)
  if (pronta !== undefined) return pronta
  const frase = palavras(texto).join(' ')
  if (lembradas.size >= LEMBRADAS) lembradas.clear()
  lembradas.set(texto, frase)
  return frase
}

const conjunto = (...listas: readonly string[]): ReadonlySet<string> => new Set(listas.join(' ').split(' '))

const PERIODO = 'dia tarde noite'
const PERIODOS = conjunto(PERIODO)
const OI = 'oi oii oiii ola opa eai hey hello salve'
const SAUDACAO = conjunto(OI)
const SAUDACAO_JUNTO = conjunto(OI, PERIODO, 'e ai bom boa tudo bem td pessoal gente')
const TCHAU = 'tchau tchauzinho xau adeus bye falou flw'
const DESPEDIDA = conjunto(TCHAU)
const DESPEDIDA_JUNTO = conjunto(TCHAU, PERIODO, 'ate logo mais breve amanha obrigado obrigada valeu bom boa')
const OBRIGADO = 'obrigado obrigada obg obgd brigado brigada valeu vlw grato grata agradeco'
const ACORDO = 'ok okay okey certo beleza blz perfeito show otimo otima legal joia top combinado entendi'
const AGRADECE = conjunto(OBRIGADO)
const CORTESIA = conjunto(OBRIGADO, ACORDO)
const LIGA = 'muito ta tudo bem bom entao de nada por e mesmo demais sim'
const CORTESIA_JUNTO = conjunto(OBRIGADO, ACORDO, LIGA)
// After a thank-you more words count as polite, as in 'Obrigada pela atenção, boa noite!'.
const AGRADECE_JUNTO = conjunto(
  ...[OBRIGADO, ACORDO, LIGA, PERIODO, TCHAU],
  'boa fim semana pela pelo atencao ajuda atendimento ate logo mais voce voces vc vcs a o',
)
const CORTESIAS_PRONTAS: ReadonlySet<string> = new Set(['de nada', 'por nada', 'ta bom', 'tudo bem', 'igualmente'])

const todas = (lista: readonly string[], vocabulario: ReadonlySet<string>): boolean =>
  lista.length > 0 && lista.length <= 8 && lista.every((palavra) => vocabulario.has(palavra))

/** True for a greeting without other content: 'oi', 'bom dia!', 'olá, tudo bem?'. */
export function ehSaudacao(texto: string): boolean {
  const lista = palavras(texto)
  if (!todas(lista, SAUDACAO_JUNTO)) return false
  const [primeira = '', segunda = ''] = lista
  return (
    lista.some((palavra) => SAUDACAO.has(palavra)) ||
    ((primeira === 'bom' || primeira === 'boa') && PERIODOS.has(segunda))
  )
}

/** True for a goodbye without other content: 'tchau', 'até logo'. */
export function ehDespedida(texto: string): boolean {
  const lista = palavras(texto)
  if (!todas(lista, DESPEDIDA_JUNTO)) return false
  return lista.some((palavra) => DESPEDIDA.has(palavra)) || (lista[0] === 'ate' && lista.length > 1)
}

/** True for politeness that needs no answer: 'ok', 'muito obrigado!', 'tchau', an emoji. Questions never count. */
export function ehCortesia(texto: string): boolean {
  if (texto.includes('?')) return false
  if (texto.trim() !== '' && SO_EMOJI.test(texto)) return true
  const lista = palavras(texto)
  return (
    (todas(lista, CORTESIA_JUNTO) && lista.some((palavra) => CORTESIA.has(palavra))) ||
    (todas(lista, AGRADECE_JUNTO) && lista.some((palavra) => AGRADECE.has(palavra))) ||
    CORTESIAS_PRONTAS.has(lista.join(' ')) ||
    ehDespedida(texto)
  )
}

/** True for a message that needs no answer. Of media only a sticker counts. */
export function ehMensagemCortes({ texto, midia }: Pick<MensagemCliente, 'texto' | 'midia'>): boolean {
  return midia === undefined ? ehCortesia(texto) : midia === 'figurinha'
}

/** Commands that a customer can write in every stage; null for other texts. */
export function comando(texto: string): 'menu' | 'atendente' | null {
  switch (palavras(texto).join(' ')) {
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
