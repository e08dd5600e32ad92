import { foldText } from '#rules/text.ts'

/** The texts of a group that show best what its people ask. */

export interface GroupText {
  /** Masked. */
  readonly texto: string
  readonly stems: readonly number[]
}

const SHORT = 60
const EXAMPLE_MAX = 160
const LABEL_MAX = 80

interface Rated {
  readonly texto: string
  readonly folded: string
  readonly points: number
}

/** At most `max` different texts, the most typical short one first. Independent of the order of `texts`. */
export function typicalTexts(texts: readonly GroupText[], max: number): string[] {
  const shares = new Map<number, number>()
  for (const { stems } of texts) for (const stem of stems) shares.set(stem, (shares.get(stem) ?? 0) + 1 / texts.length)
  const rated = texts.map(({ texto, stems }): Rated => {
    const typical = stems.reduce((sum, stem) => sum + (shares.get(stem) ?? 0), 0) / Math.sqrt(stems.length)
    const isMasked = texto.includes('ocult')
    const points = (typical * Math.min(1, SHORT / texto.length)) / (isMasked ? 10 : 1)
    return { texto, folded: foldText(texto), points }
  })
  const sorted = rated.toSorted(
    (a, b) => b.points - a.points || a.texto.length - b.texto.length || (a.texto < b.texto ? -1 : 1),
  )
  const different = new Map<string, string>()
  for (const { folded, texto } of sorted) {
    if (!different.has(folded)) different.set(folded, cutText(texto, EXAMPLE_MAX))
    if (different.size === max) break
  }
  return [...different.values()]
}

export const gapLabel = (text: string): string => cutText(text, LABEL_MAX)

/** Cuts between words. */
function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1)
  const end = cut.lastIndexOf(' ')
  return `${(end > max / 2 ? cut.slice(0, end) : cut).toWellFormed().trimEnd()}…`
}
