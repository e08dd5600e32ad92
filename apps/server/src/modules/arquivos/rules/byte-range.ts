import type { ByteRange } from '#ports/files.ts'

/**
 * Parses a `Range` header (RFC 9110, section 14). Returns `tudo` for headers a server may ignore: other units,
 * several ranges, invalid text. Returns `fora` if the range begins after the end.
 */
export function parseRange(range: string | undefined, size: number): ByteRange | 'tudo' | 'fora' {
  const parsed = /^bytes=(\d*)-(\d*)$/.exec(range ?? '')
  if (parsed === null) return 'tudo'
  const [, de = '', until = ''] = parsed
  if (de === '' && until === '') return 'tudo'
  if (de === '') {
    const last = Math.min(Number(until), size)
    return last === 0 ? 'fora' : { start: size - last, end: size - 1 }
  }
  const inicio = Number(de)
  const fim = until === '' ? size - 1 : Math.min(Number(until), size - 1)
  if (until !== '' && Number(until) < inicio) return 'tudo'
  return inicio >= size ? 'fora' : { start: inicio, end: fim }
}
