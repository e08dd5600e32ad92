/** Cuts the text of a source into pieces that a search finds and a model reads. */

export interface SourceSection {
  /** From 1, of a PDF. */
  readonly pagina?: number
  /** Heading or page of a site. Empty: none. */
  readonly secao: string
  readonly texto: string
}

export type SourcePiece = SourceSection

/** Characters of a piece. Paragraphs are joined up to the aim. */
const AIM = 750
const PIECE_MAX = 900
/** A shorter rest joins the piece before it. */
const REST_MIN = 160
/** The end of a piece that begins the next one, when a paragraph was cut. */
const OVERLAP_MAX = 120
const HEADING_MAX = 80

const SENTENCE_END = /[.!?…;:]["”’)]*\s/g

/**
 * Pieces of at most 900 characters, cut between paragraphs, then between sentences, then between words. A short line
 * before a paragraph stays with it. Every word of the sections is in a piece, in the same order.
 */
export function cutPieces(sections: readonly SourceSection[]): readonly SourcePiece[] {
  return sections.flatMap((section) => textsOf(section.texto).map((texto) => ({ ...section, texto })))
}

function textsOf(written: string): string[] {
  const pieces: string[] = []
  let open = ''
  const close = (): void => {
    if (open !== '') pieces.push(open)
    open = ''
  }
  for (const paragraph of paragraphsOf(written)) {
    const joined = open === '' ? paragraph : `${open}\n${paragraph}`
    if (joined.length <= AIM || (joined.length <= PIECE_MAX && isHeading(open))) {
      open = joined
      continue
    }
    const heading = isHeading(lastLine(open)) ? lastLine(open) : ''
    if (heading !== '') open = open.slice(0, -heading.length).trimEnd()
    close()
    const parts = splitLong(heading === '' ? paragraph : `${heading}\n${paragraph}`)
    pieces.push(...parts.slice(0, -1))
    open = parts.at(-1) ?? ''
  }
  return joinRest(pieces, open)
}

function joinRest(pieces: string[], rest: string): string[] {
  const last = pieces.at(-1)
  if (rest === '') return pieces
  if (last === undefined || rest.length >= REST_MIN || last.length + rest.length >= PIECE_MAX) return [...pieces, rest]
  return [...pieces.slice(0, -1), `${last}\n${rest}`]
}

/** Lines with their spaces folded. */
function paragraphsOf(written: string): string[] {
  return written
    .toWellFormed()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
}

const lastLine = (piece: string): string => piece.slice(piece.lastIndexOf('\n') + 1)

const isHeading = (line: string): boolean => line !== '' && line.length <= HEADING_MAX && !/[.!?;,]$/.test(line)

/** Parts of a long paragraph. Each begins with the last sentence of the part before it, when that is short. */
function splitLong(paragraph: string): string[] {
  const parts: string[] = []
  let start = 0
  while (paragraph.length - start > PIECE_MAX) {
    const window = paragraph.slice(start, start + PIECE_MAX)
    const part = window.slice(0, cutPoint(window))
    parts.push(part.trimEnd())
    start += part.length - overlapOf(part)
  }
  return start >= paragraph.length ? parts : [...parts, paragraph.slice(start)]
}

/** After the last sentence of the window, else after its last word, else at its end. */
function cutPoint(window: string): number {
  const sentence = [...window.matchAll(SENTENCE_END)].at(-1)
  const afterSentence = sentence === undefined ? 0 : sentence.index + sentence[0].length
  if (afterSentence >= PIECE_MAX / 2) return afterSentence
  const space = Math.max(window.lastIndexOf(' '), window.lastIndexOf('\n'))
  if (space >= PIECE_MAX / 2) return space + 1
  const last = window.charCodeAt(PIECE_MAX - 1)
  // Both halves of a surrogate pair stay together.
  return last >= 0xd800 && last <= 0xdbff ? PIECE_MAX - 1 : PIECE_MAX
}

/** Characters of the last sentence of the part, 0 when it is long or the part ends within a sentence. */
function overlapOf(part: string): number {
  const ends = [...part.slice(-OVERLAP_MAX).matchAll(SENTENCE_END)].map(({ index, 0: end }) => index + end.length)
  const [before, last] = ends.slice(-2)
  return before === undefined || last !== Math.min(part.length, OVERLAP_MAX) ? 0 : last - before
}
