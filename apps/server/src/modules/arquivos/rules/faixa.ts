import type { ByteRange } from '#ports/files.ts'

/**
 * Parses a `Range` header (RFC 9110, section 14). Returns `tudo` for headers a server may ignore: other units,
 * several ranges, invalid text. Returns `fora` if the range begins after the end.
 */
export function parseRange(range: string | undefined, size: number): ByteRange | 'tudo' | 'fora' {
  const lida = /^bytes=(\d*)-(\d*)$/.exec(range ?? '')
  if (lida === null) return 'tudo'
  const [, de = '', ate = ''] = lida
  if (de === '' && ate === '') return 'tudo'
  if (de === '') {
    const ultimos = Math.min(Number(ate), size)
    return ultimos === 0 ? 'fora' : { start: size - ultimos, end: size - 1 }
  }
  const inicio = Number(de)
  const fim = ate === '' ? size - 1 : Math.min(Number(ate), size - 1)
  if (ate !== '' && Number(ate) < inicio) return 'tudo'
  return inicio >= size ? 'fora' : { start: inicio, end: fim }
}
