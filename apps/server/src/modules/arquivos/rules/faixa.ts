import type { Faixa } from '#ports/files.ts'

/**
 * Parses a `Range` header (RFC 9110, section 14). Returns `tudo` for headers a server may ignore: other units,
 * several ranges, invalid text. Returns `fora` if the range begins after the end.
 */
export function lerFaixa(range: string | undefined, tamanho: number): Faixa | 'tudo' | 'fora' {
  const lida = /^bytes=(\d*)-(\d*)$/.exec(range ?? '')
  if (lida === null) return 'tudo'
  const [, de = '', ate = ''] = lida
  if (de === '' && ate === '') return 'tudo'
  if (de === '') {
    const ultimos = Math.min(Number(ate), tamanho)
    return ultimos === 0 ? 'fora' : { inicio: tamanho - ultimos, fim: tamanho - 1 }
  }
  const inicio = Number(de)
  const fim = ate === '' ? tamanho - 1 : Math.min(Number(ate), tamanho - 1)
  if (ate !== '' && Number(ate) < inicio) return 'tudo'
  return inicio >= tamanho ? 'fora' : { inicio, fim }
}
