import { latin1, startsWith } from './bytes.ts'

/** The first packet of an Ogg stream names its codec. */
export function isOgg(bytes: Buffer): boolean {
  if (!startsWith(bytes, 'OggS')) return false
  const segmentos = bytes[26] ?? 0
  const pacote = 27 + segmentos
  return startsWith(bytes, 'OpusHead', pacote) || startsWith(bytes, '\u0001vorbis', pacote)
}

const WEBM_HEADER = 4_096

export function isWebmAudio(bytes: Buffer): boolean {
  if (!startsWith(bytes, [0x1a, 0x45, 0xdf, 0xa3])) return false
  const cabecalho = latin1(bytes, 0, WEBM_HEADER)
  return cabecalho.includes('webm') && /A_(OPUS|VORBIS)/.test(cabecalho) && !cabecalho.includes('V_')
}

/** Path of nested boxes to the `hdlr` box, which gives the kind of a track. */
const BOX_PATH = ['moov', 'trak', 'mdia'] as const

export function isMp4Audio(bytes: Buffer): boolean {
  if (!startsWith(bytes, 'ftyp', 4)) return false
  const trilhas = trackKinds(bytes, 0, bytes.length, BOX_PATH)
  return trilhas.length > 0 && trilhas.every((tipo) => tipo === 'soun')
}

function trackKinds(bytes: Buffer, inicio: number, fim: number, caixas: readonly string[]): string[] {
  const [caixa, ...dentro] = caixas
  const tipos: string[] = []
  let em = inicio
  while (em + 8 <= fim) {
    const nome = latin1(bytes, em + 4, em + 8)
    const tamanho = bytes.readUInt32BE(em)
    // Size 0 extends to the end of the file. Size 1 means a 64-bit size, which is rejected.
    const proxima = tamanho === 0 ? fim : em + tamanho
    if (tamanho !== 0 && (tamanho < 8 || proxima > fim)) return tipos
    if (nome === caixa) tipos.push(...trackKinds(bytes, em + 8, proxima, dentro))
    else if (caixa === undefined && nome === 'hdlr') tipos.push(latin1(bytes, em + 16, em + 20))
    em = proxima
  }
  return tipos
}

const KBPS_MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const
const KBPS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const
const HZ_MPEG1 = [44_100, 48_000, 32_000] as const

/** Two consecutive layer III frames, or an ID3 tag followed by one frame. */
export function isMp3(bytes: Buffer): boolean {
  const tag = id3Length(bytes)
  const primeiro = frameLength(bytes, tag)
  if (primeiro === null) return false
  return tag > 0 || frameLength(bytes, primeiro) !== null
}

function id3Length(bytes: Buffer): number {
  if (!startsWith(bytes, 'ID3') || bytes.length < 10) return 0
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10)
  return 10 + (a << 21) + (b << 14) + (c << 7) + d
}

function frameLength(bytes: Buffer, em: number): number | null {
  if (em + 4 > bytes.length) return null
  const [um = 0, dois = 0, tres = 0] = bytes.subarray(em, em + 4)
  const versao = (dois >> 3) & 3
  if (um !== 0xff || (dois & 0xe0) !== 0xe0 || versao === 1 || ((dois >> 1) & 3) !== 1) return null
  const kbps = (versao === 3 ? KBPS_MPEG1 : KBPS_MPEG2)[tres >> 4]
  const hzMpeg1 = HZ_MPEG1[(tres >> 2) & 3]
  if (kbps === undefined || kbps === 0 || hzMpeg1 === undefined) return null
  const hz = hzMpeg1 / (versao === 3 ? 1 : versao === 2 ? 2 : 4)
  const amostras = versao === 3 ? 144 : 72
  return Math.floor((amostras * kbps * 1_000) / hz) + ((tres >> 1) & 1)
}
