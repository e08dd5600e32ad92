/**
 * Words of a shop, the first ones most frequent: word `n` appears with a weight of about 1 / n. Generated syllables make
 * the rest, so that rare words exist.
 */
const WORDS = [
  ...'oi bom dia quero pedido entrega hoje amanhã obrigada por favor pão francês bolo chocolate aniversário'.split(' '),
  ...'preço quanto custa cartão dinheiro troco endereço rua número bairro horário aberto fechado encomenda'.split(' '),
  ...'salgado coxinha esfiha refrigerante suco café leite manteiga queijo presunto torta limão morango'.split(' '),
]
const NAMES = [
  ...'Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Juliana Fernanda Adriana'.split(' '),
  ...'Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins'.split(' '),
]
const SYLLABLES = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'zo']
const WORD_COUNT = 40_000
const NAME_COUNT = 2_000
const WORDS_IN_MENSAGEM = 9
const WORDS_IN_NAME = 3

/** Four syllables and more, another word for each number. */
function syllablesOf(n: number): string {
  let word = ''
  for (let rest = n + SYLLABLES.length ** 3; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? ''
  }
  return word
}

const vocabularyOf = (first: readonly string[], count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => first[n] ?? syllablesOf(n))

export const VOCABULARY = vocabularyOf(WORDS, WORD_COUNT)
export const NAME_WORDS = vocabularyOf(NAMES, NAME_COUNT)

/** The same number in each run. */
function hashOf(n: number): number {
  let mixed = Math.imul(n ^ (n >>> 16), 0x85eb_ca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function phraseOf(words: readonly string[], seed: number, length: number): string {
  const phrase: string[] = []
  for (let n = 0; n < length; n += 1) {
    const share = hashOf(seed * 16 + n) / 2 ** 32
    phrase.push(words[Math.floor(words.length ** share) - 1] ?? '')
  }
  return phrase.join(' ')
}

export const mensagemText = (seed: number): string => phraseOf(VOCABULARY, seed, WORDS_IN_MENSAGEM)
export const contatoName = (seed: number): string => phraseOf(NAME_WORDS, seed, WORDS_IN_NAME)
