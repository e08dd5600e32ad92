import type { Locator } from 'playwright-core'

/** Reads the QR code that the panel draws. Error correction is not needed, because the drawing has no damage. */
export async function readQrCode(svg: Locator): Promise<string> {
  const [, , width] = (await svg.getAttribute('viewBox'))?.split(' ') ?? []
  const drawing = (await svg.locator('path').getAttribute('d')) ?? ''
  return textOfMatrix(matrixOf(Number(width), drawing))
}

/** Rows of modules, true where dark, without the white border. */
type Matrix = readonly (readonly boolean[])[]

const BORDER = 4

function matrixOf(width: number, drawing: string): Matrix {
  const lado = width - 2 * BORDER
  const matrix = Array.from({ length: lado }, () => Array.from({ length: lado }, () => false))
  for (const [, x, y, n] of drawing.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    matrix[Number(y) - BORDER]?.fill(true, Number(x) - BORDER, Number(x) - BORDER + Number(n))
  }
  return matrix
}

/** Error correction codewords per block and number of blocks at level L, by version from 1. */
const CORRECTION_CODEWORDS = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28]
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8]

const MASKS: readonly ((x: number, y: number) => number)[] = [
  (x, y) => (x + y) % 2,
  (_x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
]

const FORMAT_XOR = 0x5412
const LEVEL_L = 1
const BYTE_MODE = 0b0100

function textOfMatrix(matrix: Matrix): string {
  const version = (matrix.length - 17) / 4
  const correction = CORRECTION_CODEWORDS[version - 1]
  const blocks = BLOCKS[version - 1]
  if (correction === undefined || blocks === undefined) throw new Error(`not a QR code: ${matrix.length} modules wide`)
  const data = deinterleave(readCodewords(matrix, readMask(matrix)), blocks, correction)
  const bits = data.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  if (Number.parseInt(bits.slice(0, 4), 2) !== BYTE_MODE) throw new Error('QR code without byte mode')
  const start = version < 10 ? 12 : 20
  const size = Number.parseInt(bits.slice(4, start), 2)
  const bytes = Array.from({ length: size }, (_, n) => Number.parseInt(bits.slice(start + n * 8, start + n * 8 + 8), 2))
  return Buffer.from(bytes).toString('utf8')
}

function readMask(matrix: Matrix): (x: number, y: number) => number {
  const path = [
    ...[0, 1, 2, 3, 4, 5, 7, 8].map((y) => [8, y] as const),
    ...[7, 5, 4, 3, 2, 1, 0].map((x) => [x, 8] as const),
  ]
  const format = path.reduce((sum, [x, y], n) => sum + (matrix[y]?.[x] === true ? 2 ** n : 0), 0) ^ FORMAT_XOR
  const mask = MASKS[(format >> 10) & 7]
  if (format >> 13 !== LEVEL_L || mask === undefined) throw new Error('QR code without error correction level L')
  return mask
}

/** Reads from the lower right corner, two columns at a time, up and down, around the function patterns. */
function readCodewords(matrix: Matrix, mask: (x: number, y: number) => number): number[] {
  const lado = matrix.length
  const bits: boolean[] = []
  const reservado = functionPatterns(lado)
  for (let direita = lado - 1; direita >= 1; direita -= 2) {
    // The zigzag skips the column of the timing pattern.
    if (direita === 6) direita = 5
    const sobe = ((direita + 1) & 2) === 0
    for (let step = 0; step < lado; step += 1) {
      const y = sobe ? lado - 1 - step : step
      for (const x of [direita, direita - 1]) {
        if (!reservado(x, y)) bits.push((matrix[y]?.[x] === true) !== (mask(x, y) === 0))
      }
    }
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, n) =>
    bits.slice(n * 8, n * 8 + 8).reduce((byte, bit) => byte * 2 + Number(bit), 0),
  )
}

function functionPatterns(lado: number): (x: number, y: number) => boolean {
  const version = (lado - 17) / 4
  const alinhamentos = alignmentCentres(version, lado)
  const noCanto = (x: number, y: number): boolean => x < 9 && y < 9
  return (x, y) => {
    if (noCanto(x, y) || (x >= lado - 8 && y < 9) || (x < 9 && y >= lado - 8) || x === 6 || y === 6) return true
    if (version >= 7 && ((x >= lado - 11 && y < 6) || (y >= lado - 11 && x < 6))) return true
    return alinhamentos.some(([cx, cy]) => Math.abs(x - cx) <= 2 && Math.abs(y - cy) <= 2)
  }
}

/** Centres of the alignment patterns. The three corners with finder patterns have none. */
function alignmentCentres(version: number, lado: number): (readonly [number, number])[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const interval = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const last = lado - 7
  const posicoes = [6, ...Array.from({ length: count - 1 }, (_, n) => last - n * interval)]
  return posicoes
    .flatMap((x) => posicoes.map((y) => [x, y] as const))
    .filter(([x, y]) => !(x === 6 && (y === 6 || y === last)) && !(x === last && y === 6))
}

/** Data codewords are interleaved across the blocks; the error correction codewords follow. */
function deinterleave(words: readonly number[], blocks: number, correction: number): number[] {
  const curtos = blocks - (words.length % blocks)
  const smallest = Math.floor(words.length / blocks) - correction
  const output: number[][] = Array.from({ length: blocks }, () => [])
  let parsed = 0
  for (let n = 0; n <= smallest; n += 1) {
    for (const [index, block] of output.entries()) {
      const word = n < smallest || index >= curtos ? words[parsed++] : undefined
      if (word !== undefined) block.push(word)
    }
  }
  return output.flat()
}
