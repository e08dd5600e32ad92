import type { Sharp, SharpOptions } from 'sharp'

/** Pictures with more pixels are never decoded. 24 megapixels is the largest default of phones. */
export const PIXELS_MAX = 24_000_000
const SECONDS_MAX = 5

/** Only these decoders of libvips are allowed. */
const ALLOWED_DECODERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer']

const SHARP_OPTIONS: SharpOptions = {
  limitInputPixels: PIXELS_MAX,
  failOn: 'warning',
  pages: 1,
  sequentialRead: true,
}

export type OpenImage = (bytes: Uint8Array) => Sharp

let opened: Promise<OpenImage> | undefined

/** Loads sharp with the first picture, so a server without pictures saves its memory. */
export function loadSharp(): Promise<OpenImage> {
  opened ??= importSharp().catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return opened
}

async function importSharp(): Promise<OpenImage> {
  // libvips reads this variable on import.
  process.env['VIPS_BLOCK_UNTRUSTED'] = '1'
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ALLOWED_DECODERS })
  // One thread per picture and at most two pictures at once. The cache is off because no picture is decoded twice.
  sharp.concurrency(1)
  sharp.cache(false)
  return (bytes) => sharp(bytes, SHARP_OPTIONS).timeout({ seconds: SECONDS_MAX })
}
