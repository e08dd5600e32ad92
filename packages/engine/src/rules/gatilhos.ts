import { foldedPhrase, wordsOf } from './texto.ts'

/**
 * True if the text contains a trigger as whole words, ignoring case and accents. Triggers are plain text, not
 * patterns.
 */
export function containsGatilho(gatilhos: readonly string[], text: string): boolean {
  const frase = ` ${wordsOf(text).join(' ')} `
  return gatilhos.some((gatilho) => {
    const alvo = foldedPhrase(gatilho)
    return alvo !== '' && frase.includes(` ${alvo} `)
  })
}

/** True if the text is exactly a trigger. */
export function isGatilho(gatilhos: readonly string[], text: string): boolean {
  const frase = wordsOf(text).join(' ')
  return frase !== '' && gatilhos.some((gatilho) => foldedPhrase(gatilho) === frase)
}
