import { FILE_NAME } from '#lib/file-names.ts'
import { MIDIA_PREFIX } from '#security/file-links.ts'

const IMAGE_PREFIX = '/api/imagens/'

export function arquivoUrl(name: string): string {
  return MIDIA_PREFIX + name
}

/** With `?mini` the server returns the small version. */
export function imageUrl(name: string): string {
  return IMAGE_PREFIX + name
}

/** Returns the file name in an address of ours, or the name itself. Returns null for anything else. */
export function nameFromUrl(url: string): string | null {
  const prefix = [MIDIA_PREFIX, IMAGE_PREFIX].find((start) => url.startsWith(start)) ?? ''
  const nome = url.slice(prefix.length)
  return FILE_NAME.test(nome) ? nome : null
}

/** The small version is a second file without a row in `arquivos`. */
export function miniName(name: string): string {
  return name.replace(/[^.]+$/, 'mini')
}

/** Maps a file on disk to the name of its row in `arquivos`. */
export function rowName(name: string): string {
  return name.endsWith('.mini') ? name.replace(/mini$/, 'webp') : name
}
