import type { ReactNode } from 'react'

/** A mark around more characters stays as written. The same limit is in `TOKEN`. */
const INNER_MAX = 1_000

const TOKEN = /(?<mono>```|`)(?=\s*[^\s`])[^`]{1,1000}\k<mono>|[*_~\n]/gu
const OPENING = /(?<![\p{L}\p{N}])[*_~](?=\S)/uy
const CLOSING = /(?<=\S)[*_~](?![\p{L}\p{N}])/uy

interface MarkedPiece {
  readonly mark: string
  readonly start: number
  readonly end: number
}

function matchesAt(pattern: RegExp, text: string, index: number): boolean {
  pattern.lastIndex = index
  return pattern.test(text)
}

/**
 * Returns the marked pieces by start offset; pieces nest and never cross. The first open mark of a kind closes at the
 * first end. Each mark is visited once, because a customer may send thousands of marks that never close.
 */
function findMarkedPieces(text: string): MarkedPiece[] {
  const found: MarkedPiece[] = []
  /** Start offsets of the text after each open mark. */
  const open = new Map<string, number[]>([...'*_~'].map((mark) => [mark, []]))
  const dropFrom = (offset: number): void => {
    for (const starts of open.values()) while ((starts.at(-1) ?? -1) >= offset) starts.pop()
  }
  for (const { 0: token, index, groups } of text.matchAll(TOKEN)) {
    const starts = open.get(token)
    if (starts === undefined) {
      // No mark but mono spans lines.
      if (token.includes('\n')) dropFrom(0)
      const { mono: mark } = groups ?? {}
      if (mark !== undefined) {
        found.push({ mark, start: index + mark.length, end: index + token.length - mark.length })
      }
      continue
    }
    while (index - (starts[0] ?? index) > INNER_MAX) starts.shift()
    const [start = index] = starts
    if (start < index && matchesAt(CLOSING, text, index)) {
      dropFrom(start)
      found.push({ mark: token, start, end: index })
    } else if (matchesAt(OPENING, text, index)) {
      starts.push(index + 1)
    }
  }
  return found.toSorted((a, b) => a.start - b.start)
}

const ELEMENTS: Readonly<Record<string, 'strong' | 'em' | 's'>> = { '*': 'strong', _: 'em', '~': 's' }

const asIs = (piece: string): ReactNode => piece

/**
 * Renders WhatsApp's marks: *bold*, _italic_, ~strike~, nested as well, and ```mono```, which contains no marks.
 * The callback draws the text pieces in reading order.
 */
export function formatMarks(text: string, renderText = asIs): ReactNode {
  const pieces = findMarkedPieces(text)
  let next = 0
  const draw = (from: number, to: number): ReactNode[] => {
    const drawn: ReactNode[] = []
    let at = from
    for (let piece = pieces[next]; piece !== undefined && piece.start < to; piece = pieces[next]) {
      next += 1
      const { mark, start, end } = piece
      drawn.push(renderText(text.slice(at, start - mark.length)))
      const Element = ELEMENTS[mark] ?? 'code'
      drawn.push(
        <Element key={start} className={Element === 'code' ? 'font-mono text-[0.92em]' : undefined}>
          {draw(start, end)}
        </Element>,
      )
      at = end + mark.length
    }
    drawn.push(renderText(text.slice(at, to)))
    return drawn
  }
  return draw(0, text.length)
}
