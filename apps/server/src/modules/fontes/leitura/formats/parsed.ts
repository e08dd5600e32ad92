import type { SourceSection } from '@balcao/engine/ia/knowledge/cut'

/** `erro` is Portuguese, for the owner. Thrown inside the worker thread. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

export interface ParsedFile {
  readonly sections: readonly SourceSection[]
  /** Of a page of a site. Empty: none. */
  readonly titulo: string
  /** Addresses of links, as they are written. */
  readonly links: readonly string[]
  /** The page asks not to be kept. */
  readonly noindex: boolean
}

const SOURCE_TEXT_MAX = 8_000_000

const TOO_LONG = 'O arquivo tem texto demais. Divida em arquivos menores.'

export function plainFile(sections: readonly SourceSection[]): ParsedFile {
  const length = sections.reduce((sum, { texto }) => sum + texto.length, 0)
  if (length > SOURCE_TEXT_MAX) throw new UnreadableFile(TOO_LONG)
  return { sections, titulo: '', links: [], noindex: false }
}
