import { spelledValue } from './numbers.ts'
import { topicOf } from './text.ts'

/** Numbers of things in a text: '50 pontos', 'quinto banho'. */

const ORDINALS = new Map(
  'primeir segund terceir quart quint sext setim oitav non decim'.split(' ').map((stem, at) => [stem, at + 1] as const),
)

export type Counts = ReadonlyMap<string, ReadonlySet<number>>

/** Returns the numbers by the noun behind them. */
export function countedNouns(folded: string): Counts {
  const counts = new Map<string, Set<number>>()
  const words = folded.match(/\d+(?:[.,]\d+)?|[a-z]+/g) ?? []
  for (const [at, word] of words.entries()) {
    const count = /^\d+$/.test(word) ? Number(word) : (spelledValue(word) ?? ORDINALS.get(word.replace(/[ao]$/, '')))
    const noun = topicOf(words[at + 1] ?? '')[0]
    if (count === undefined || noun === undefined) continue
    counts.set(noun, (counts.get(noun) ?? new Set()).add(count))
  }
  return counts
}

/** False if both count the same thing, and differently. */
export function countsAgree(own: Counts, others: Counts): boolean {
  return [...own].every(([noun, numbers]) => {
    const other = others.get(noun)
    return other === undefined || [...numbers].every((number) => other.has(number))
  })
}
