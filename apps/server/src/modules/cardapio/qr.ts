import { encode, renderSVG } from 'uqr'

const PIXELS = 1_024
const QUIET = 4

export function qrSvg(url: string): string {
  return renderSVG(url, { border: QUIET, pixelSize: 16 })
}

/** A picture of 1,024 pixels, large enough to print. */
export async function qrPng(url: string): Promise<Buffer> {
  const { data, size } = encode(url, { border: QUIET })
  const points = Buffer.from(data.flat().map((dark) => (dark ? 0 : 255)))
  // Loaded at the first use: the library takes memory.
  const { default: sharp } = await import('sharp')
  return sharp(points, { raw: { width: size, height: size, channels: 1 } })
    .resize(PIXELS, PIXELS, { kernel: 'nearest' })
    .png()
    .toBuffer()
}
