import type { Sharp, SharpOptions } from 'sharp'

/** Pictures larger than this are never decoded: 24 megapixels, the largest that phones take by default. */
export const PIXELS_MAXIMO = 24_000_000
const SEGUNDOS_MAXIMO = 5

/** What may be read: everything else that the image library knows stays shut. */
const LEITORES = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer']

const OPCOES: SharpOptions = {
  limitInputPixels: PIXELS_MAXIMO,
  failOn: 'warning',
  pages: 1,
  sequentialRead: true,
}

export type Abrir = (bytes: Uint8Array) => Sharp

let aberto: Promise<Abrir> | undefined

/** Loaded with the first picture: a server that never sees one does not carry the library. */
export function carregarSharp(): Promise<Abrir> {
  aberto ??= carregar().catch((error: unknown) => {
    aberto = undefined
    throw error
  })
  return aberto
}

async function carregar(): Promise<Abrir> {
  // Read by libvips when it starts, which is on import.
  process.env['VIPS_BLOCK_UNTRUSTED'] = '1'
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LEITORES })
  // One thread a picture, two pictures at once, nothing remembered: what is decoded here is never decoded again.
  sharp.concurrency(1)
  sharp.cache(false)
  return (bytes) => sharp(bytes, OPCOES).timeout({ seconds: SEGUNDOS_MAXIMO })
}
