import { foldedPhrase, wordsOf } from './text.ts'

/**
 * True if the text contains a trigger as whole words, ignoring case and accents. Triggers are plain text, not
 * patterns.
 */
export function containsGatilho(gatilhos: readonly string[], text: string): boolean {
  const sentence = ` ${wordsOf(text).join(' ')} `
  return gatilhos.some((gatilho) => {
    const target = foldedPhrase(gatilho)
    return target !== '' && sentence.includes(` ${target} `)
  })
}

/** True if the text is exactly a trigger. */
export function isGatilho(gatilhos: readonly string[], text: string): boolean {
  const sentence = wordsOf(text).join(' ')
  return sentence !== '' && gatilhos.some((gatilho) => foldedPhrase(gatilho) === sentence)
}
