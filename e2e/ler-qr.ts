import type { Locator } from 'playwright-core'

/** Reads the QR code that the panel draws. Error correction is not needed, because the drawing has no damage. */
export async function readQrCode(svg: Locator): Promise<string> {
  const [, , largura] = (await svg.getAttribute('viewBox'))?.split(' ') ?? []
  const desenho = (await svg.locator('path').getAttribute('d')) ?? ''
  return textOfMatrix(matrixOf(Number(largura), desenho))
}

/** Rows of modules, true where dark, without the white border. */
type Matrix = readonly (readonly boolean[])[]

const BORDER = 4

function matrixOf(largura: number, desenho: string): Matrix {
  const lado = largura - 2 * BORDER
  const matriz = Array.from({ length: lado }, () => Array.from({ length: lado }, () => false))
  for (const [, x, y, n] of desenho.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    matriz[Number(y) - BORDER]?.fill(true, Number(x) - BORDER, Number(x) - BORDER + Number(n))
  }
  return matriz
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

function textOfMatrix(matriz: Matrix): string {
  const versao = (matriz.length - 17) / 4
  const correcao = CORRECTION_CODEWORDS[versao - 1]
  const blocos = BLOCKS[versao - 1]
  if (correcao === undefined || blocos === undefined) throw new Error(`not a QR code: ${matriz.length} modules wide`)
  const dados = deinterleave(readCodewords(matriz, readMask(matriz)), blocos, correcao)
  const bits = dados.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  if (Number.parseInt(bits.slice(0, 4), 2) !== BYTE_MODE) throw new Error('QR code without byte mode')
  const inicio = versao < 10 ? 12 : 20
  const tamanho = Number.parseInt(bits.slice(4, inicio), 2)
  const bytes = Array.from({ length: tamanho }, (_, n) =>
    Number.parseInt(bits.slice(inicio + n * 8, inicio + n * 8 + 8), 2),
  )
  return Buffer.from(bytes).toString('utf8')
}

function readMask(matriz: Matrix): (x: number, y: number) => number {
  const caminho = [
    ...[0, 1, 2, 3, 4, 5, 7, 8].map((y) => [8, y] as const),
    ...[7, 5, 4, 3, 2, 1, 0].map((x) => [x, 8] as const),
  ]
  const formato = caminho.reduce((soma, [x, y], n) => soma + (matriz[y]?.[x] === true ? 2 ** n : 0), 0) ^ FORMAT_XOR
  const mascara = MASKS[(formato >> 10) & 7]
  if (formato >> 13 !== LEVEL_L || mascara === undefined) throw new Error('QR code without error correction level L')
  return mascara
}

/** Reads from the lower right corner, two columns at a time, up and down, around the function patterns. */
function readCodewords(matriz: Matrix, mascara: (x: number, y: number) => number): number[] {
  const lado = matriz.length
  const bits: boolean[] = []
  const reservado = functionPatterns(lado)
  for (let direita = lado - 1; direita >= 1; direita -= 2) {
    // The zigzag skips the column of the timing pattern.
    if (direita === 6) direita = 5
    const sobe = ((direita + 1) & 2) === 0
    for (let passo = 0; passo < lado; passo += 1) {
      const y = sobe ? lado - 1 - passo : passo
      for (const x of [direita, direita - 1]) {
        if (!reservado(x, y)) bits.push((matriz[y]?.[x] === true) !== (mascara(x, y) === 0))
      }
    }
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, n) =>
    bits.slice(n * 8, n * 8 + 8).reduce((byte, bit) => byte * 2 + Number(bit), 0),
  )
}

function functionPatterns(lado: number): (x: number, y: number) => boolean {
  const versao = (lado - 17) / 4
  const alinhamentos = alignmentCentres(versao, lado)
  const noCanto = (x: number, y: number): boolean => x < 9 && y < 9
  return (x, y) => {
    if (noCanto(x, y) || (x >= lado - 8 && y < 9) || (x < 9 && y >= lado - 8) || x === 6 || y === 6) return true
    if (versao >= 7 && ((x >= lado - 11 && y < 6) || (y >= lado - 11 && x < 6))) return true
    return alinhamentos.some(([cx, cy]) => Math.abs(x - cx) <= 2 && Math.abs(y - cy) <= 2)
  }
}

/** Centres of the alignment patterns. The three corners with finder patterns have none. */
function alignmentCentres(versao: number, lado: number): (readonly [number, number])[] {
  if (versao === 1) return []
  const quantos = Math.floor(versao / 7) + 2
  const intervalo = Math.ceil((versao * 4 + 4) / (quantos * 2 - 2)) * 2
  const ultimo = lado - 7
  const posicoes = [6, ...Array.from({ length: quantos - 1 }, (_, n) => ultimo - n * intervalo)]
  return posicoes
    .flatMap((x) => posicoes.map((y) => [x, y] as const))
    .filter(([x, y]) => !(x === 6 && (y === 6 || y === ultimo)) && !(x === ultimo && y === 6))
}

/** Data codewords are interleaved across the blocks; the error correction codewords follow. */
function deinterleave(palavras: readonly number[], blocos: number, correcao: number): number[] {
  const curtos = blocos - (palavras.length % blocos)
  const menor = Math.floor(palavras.length / blocos) - correcao
  const saida: number[][] = Array.from({ length: blocos }, () => [])
  let lida = 0
  for (let n = 0; n <= menor; n += 1) {
    for (const [indice, bloco] of saida.entries()) {
      const palavra = n < menor || indice >= curtos ? palavras[lida++] : undefined
      if (palavra !== undefined) bloco.push(palavra)
    }
  }
  return saida.flat()
}
