import type { Sharp, SharpOptions } from 'sharp'

/** Pictures with more pixels are never decoded. 24 megapixels is the largest default of phones. */
export const PIXELS_MAXIMO = 24_000_000
const SEGUNDOS_MAXIMO = 5

/** Only these decoders of libvips are allowed. */
const LEITORES = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer']

const OPCOES: SharpOptions = {
  limitInputPixels: PIXELS_MAXIMO,
  failOn: 'warning',
  pages: 1,
  sequentialRead: true,
}

export type Abrir = (bytes: Uint8Array) => Sharp

let aberto: Promise<Abrir> | undefined

/** Loads sharp with the first picture, so a server without pictures saves its memory. */
export function carregarSharp(): Promise<Abrir> {
  aberto ??= carregar().catch((error: unknown) => {
    aberto = undefined
    throw error
  })
  return aberto
}

async function carregar(): Promise<Abrir> {
  // libvips reads this variable on import.
  process.env['VIPS_BLOCK_UNTRUSTED'] = '1'
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LEITORES })
  // One thread per picture and at most two pictures at once. The cache is off because no picture is decoded twice.
  sharp.concurrency(1)
  sharp.cache(false)
  return (bytes) => sharp(bytes, OPCOES).timeout({ seconds: SEGUNDOS_MAXIMO })
}
