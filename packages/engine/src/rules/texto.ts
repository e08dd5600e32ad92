/** Folding and small vocabularies. Patterns are ours and fixed; nothing here is built from what people write. */

const ACENTOS = /\p{Diacritic}/gu
const NAO_PALAVRA = /[^\p{L}\p{N}]+/gu
// A joiner and a variation selector hold the parts of one emoji together.
const SO_EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\s)+$/u

/** Lower case, no accents, single spaces: the form in which texts are compared. */
export function dobrar(texto: string): string {
  return texto.normalize('NFD').replace(ACENTOS, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The words of a text, folded, without punctuation. */
export function palavras(texto: string): string[] {
  return dobrar(texto)
    .replace(NAO_PALAVRA, ' ')
    .trim()
    .split(' ')
    .filter((palavra) => palavra !== '')
}

const conjunto = (lista: string): ReadonlySet<string> => new Set(lista.split(' '))

const SAUDACAO = conjunto('oi oii oiii ola opa eai hey hello salve')
const SAUDACAO_JUNTO = conjunto(
  'oi oii oiii ola opa eai hey hello salve e ai bom boa dia tarde noite tudo bem td pessoal gente',
)
const PERIODOS = conjunto('dia tarde noite')
const DESPEDIDA = conjunto('tchau xau adeus bye falou flw')
const DESPEDIDA_JUNTO = conjunto(
  'tchau xau adeus bye falou flw ate logo mais breve amanha obrigado obrigada valeu bom boa dia tarde noite',
)
const CORTESIA = conjunto(
  'ok okay okey obrigado obrigada obg brigado brigada valeu vlw grato grata certo beleza blz perfeito show otimo otima legal joia top combinado entendi',
)
const CORTESIA_JUNTO = conjunto(
  'ok okay okey obrigado obrigada obg brigado brigada valeu vlw grato grata certo beleza blz perfeito show otimo otima legal joia top combinado entendi muito ta tudo bem bom entao de nada por e mesmo demais sim',
)

const todas = (lista: readonly string[], vocabulario: ReadonlySet<string>): boolean =>
  lista.length > 0 && lista.length <= 6 && lista.every((palavra) => vocabulario.has(palavra))

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

/** Politeness that asks for nothing: 'ok', 'muito obrigado!', an emoji. */
export function ehCortesia(texto: string): boolean {
  if (texto.trim() !== '' && SO_EMOJI.test(texto)) return true
  const lista = palavras(texto)
  return (
    todas(lista, CORTESIA_JUNTO) && (lista.some((palavra) => CORTESIA.has(palavra)) || lista.join(' ') === 'de nada')
  )
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
