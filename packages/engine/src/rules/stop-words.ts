import { wordsOf } from './text.ts'

/** Returns which of the two stop words the whole text is, in any notation; otherwise null. */
export function parseStopWord(text: string): 'parar' | 'sair' | null {
  const sentence = wordsOf(text).join(' ')
  return sentence === 'parar' || sentence === 'sair' ? sentence : null
}

/** True if the whole text is the word that ends the stop. */
export function isResumeWord(text: string): boolean {
  return wordsOf(text).join(' ') === 'voltar'
}
