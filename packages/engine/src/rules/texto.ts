import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import type { MensagemCliente } from '#event.ts'

/** Folding and small vocabularies. Patterns are ours and fixed; nothing here is built from what people write. */

// Combining marks: accents, and what turns a digit into a keycap.
const MARCAS = /\p{M}/gu
const FORA_DO_ASCII = /[^ -~\s]/
const NAO_PALAVRA = /[^\p{L}\p{N}]+/gu
// A joiner and a variation selector hold the parts of one emoji together.
const SO_EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f|\s)+$/u

/** Lower case, no accents, single spaces, common digits: the form in which texts are compared. Reads the first 4096 characters. */
export function dobrar(texto: string): string {
  const curto = texto.length > TEXTO_MAXIMO ? texto.slice(0, TEXTO_MAXIMO) : texto
  // Normalizing costs more than all the rest, and most texts have nothing to normalize.
  const simples = FORA_DO_ASCII.test(curto) ? curto.normalize('NFKD').replace(MARCAS, '') : curto
  return simples.toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The words of a text, folded, without punctuation. */
export function palavras(texto: string): string[] {
  const limpo = dobrar(texto).replace(NAO_PALAVRA, ' ').trim()
  return limpo === '' ? [] : limpo.split(' ')
}

const LEMBRADAS = 20_000
const lembradas = new Map<string, string>()

/**
 * The words of what the owner wrote (a title, a trigger), folded and joined. The same few come with every message of an account,
 * so what was folded is kept.
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
// 'Obrigada pela atenção, boa noite!': after a thank you the rest is politeness too.
const AGRADECE_JUNTO = conjunto(
  ...[OBRIGADO, ACORDO, LIGA, PERIODO, TCHAU],
  'boa fim semana pela pelo atencao ajuda atendimento ate logo mais voce voces vc vcs a o',
)
const CORTESIAS_PRONTAS: ReadonlySet<string> = new Set(['de nada', 'por nada', 'ta bom', 'tudo bem', 'igualmente'])

const todas = (lista: readonly string[], vocabulario: ReadonlySet<string>): boolean =>
  lista.length > 0 && lista.length <= 8 && lista.every((palavra) => vocabulario.has(palavra))

/** A greeting and nothing else: 'oi', 'bom dia!', 'olá, tudo bem?'. */
export function ehSaudacao(texto: string): boolean {
  const lista = palavras(texto)
  if (!todas(lista, SAUDACAO_JUNTO)) return false
  const [primeira = '', segunda = ''] = lista
  return (
    lista.some((palavra) => SAUDACAO.has(palavra)) ||
    ((primeira === 'bom' || primeira === 'boa') && PERIODOS.has(segunda))
  )
}

/** A goodbye and nothing else: 'tchau', 'até logo'. */
export function ehDespedida(texto: string): boolean {
  const lista = palavras(texto)
  if (!todas(lista, DESPEDIDA_JUNTO)) return false
  return lista.some((palavra) => DESPEDIDA.has(palavra)) || (lista[0] === 'ate' && lista.length > 1)
}

/** Politeness that asks for nothing: 'ok', 'muito obrigado!', 'tchau', an emoji. A question never is. */
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

/** The same of a whole message: among media only a sticker asks for nothing. */
export function ehMensagemCortes({ texto, midia }: Pick<MensagemCliente, 'texto' | 'midia'>): boolean {
  return midia === undefined ? ehCortesia(texto) : midia === 'figurinha'
}

/** What a customer may say at any time to move the bot, or null. */
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
