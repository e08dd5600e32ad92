/** Characters per word or phrase. */
const WORD_MAX = 100

/** Normalizes like the engine: case, accents and spacing do not matter. */
export function foldWord(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

export function splitWords(typed: string, current: readonly string[]): { novas: string[]; repetidas: string[] } {
  const seen = new Set(current.map(foldWord))
  const novas: string[] = []
  const repetidas: string[] = []
  for (const part of typed.split(',')) {
    const palavra = part.replace(/\s+/g, ' ').trim().slice(0, WORD_MAX)
    if (palavra === '') continue
    if (seen.has(foldWord(palavra))) repetidas.push(palavra)
    else novas.push(palavra)
    seen.add(foldWord(palavra))
  }
  return { novas, repetidas }
}
