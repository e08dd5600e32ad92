import { FILE_NAME } from '#lib/file-names.ts'
import { MIDIA_PREFIX } from '#security/file-links.ts'

const IMAGE_PREFIX = '/api/imagens/'

export function arquivoUrl(name: string): string {
  return MIDIA_PREFIX + name
}

export function imageUrl(name: string): string {
  return IMAGE_PREFIX + name
}

/** Also accepts a bare name. Null for anything else. */
export function nameFromUrl(url: string): string | null {
  const prefix = [MIDIA_PREFIX, IMAGE_PREFIX].find((start) => url.startsWith(start)) ?? ''
  const nome = url.slice(prefix.length)
  return FILE_NAME.test(nome) ? nome : null
}

export function miniName(name: string): string {
  return name.replace(/[^.]+$/, 'mini')
}

export function rowName(name: string): string {
  return name.endsWith('.mini') ? name.replace(/mini$/, 'webp') : name
}
