import jsqr from 'jsqr'
import type { Locator } from 'playwright-core'

/** Pixels per module of the picture that is decoded. */
const SCALE = 4

/** Reads the QR code that the panel draws. */
export async function readQrCode(svg: Locator): Promise<string> {
  const [, , width] = (await svg.getAttribute('viewBox'))?.split(' ') ?? []
  const drawing = (await svg.locator('path').getAttribute('d')) ?? ''
  return textOfDrawing(Number(width), drawing)
}

/** Paints the path of the panel, whose unit is one module, and decodes the picture. */
function textOfDrawing(width: number, drawing: string): string {
  const size = width * SCALE
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (const [, x, y, length] of drawing.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row += 1) {
      const start = row * size + Number(x) * SCALE
      for (let pixel = start; pixel < start + Number(length) * SCALE; pixel += 1) {
        pixels.fill(0, pixel * 4, pixel * 4 + 3)
      }
    }
  }
  const code = jsqr.default(pixels, size, size)
  if (code === null) throw new Error('QR code not readable')
  return code.data
}
