import type { ByteRange } from '#ports/files.ts'

/** RFC 9110, section 14. `tudo`: a server may ignore other units, several ranges and invalid text. */
export function parseRange(range: string | undefined, size: number): ByteRange | 'tudo' | 'fora' {
  const [, from = '', until = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (from === '') return until === '' ? 'tudo' : lastBytes(Number(until), size)
  const start = Number(from)
  if (until !== '' && Number(until) < start) return 'tudo'
  const end = until === '' ? size - 1 : Math.min(Number(until), size - 1)
  return start >= size ? 'fora' : { start, end }
}

function lastBytes(count: number, size: number): ByteRange | 'fora' {
  const last = Math.min(count, size)
  return last === 0 ? 'fora' : { start: size - last, end: size - 1 }
}
