import { latin1, startsWith } from './bytes.ts'

/** The first packet of an Ogg stream names its codec. */
export function isOgg(bytes: Buffer): boolean {
  if (!startsWith(bytes, 'OggS')) return false
  const segments = bytes[26] ?? 0
  const packet = 27 + segments
  return startsWith(bytes, 'OpusHead', packet) || startsWith(bytes, '\u0001vorbis', packet)
}

/** Path of nested boxes to the `hdlr` box, which gives the kind of a track. */
const BOX_PATH = ['moov', 'trak', 'mdia'] as const

export function isMp4Audio(bytes: Buffer): boolean {
  if (!startsWith(bytes, 'ftyp', 4)) return false
  const tracks = trackKinds(bytes, 0, bytes.length, BOX_PATH)
  return tracks.length > 0 && tracks.every((tipo) => tipo === 'soun')
}

function trackKinds(bytes: Buffer, start: number, end: number, caixas: readonly string[]): string[] {
  const [box, ...inside] = caixas
  const types: string[] = []
  let em = start
  while (em + 8 <= end) {
    const name = latin1(bytes, em + 4, em + 8)
    const size = bytes.readUInt32BE(em)
    // Size 0 extends to the end of the file. Size 1 means a 64-bit size, which is rejected.
    const next = size === 0 ? end : em + size
    if (size !== 0 && (size < 8 || next > end)) return types
    if (name === box) types.push(...trackKinds(bytes, em + 8, next, inside))
    else if (box === undefined && name === 'hdlr') types.push(latin1(bytes, em + 16, em + 20))
    em = next
  }
  return types
}

const KBPS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
/** By the version bits of the header: MPEG 2.5, reserved, MPEG 2, MPEG 1. */
const VERSIONS = [
  { divisor: 4, samples: 72, kbps: KBPS_MPEG2 },
  undefined,
  { divisor: 2, samples: 72, kbps: KBPS_MPEG2 },
  { divisor: 1, samples: 144, kbps: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] },
]
const HZ_MPEG1 = [44_100, 48_000, 32_000] as const

/** Two consecutive layer III frames, or an ID3 tag followed by one frame. */
export function isMp3(bytes: Buffer): boolean {
  const tag = id3Length(bytes)
  const first = frameLength(bytes, tag)
  if (first === null) return false
  return tag > 0 || frameLength(bytes, first) !== null
}

function id3Length(bytes: Buffer): number {
  if (!startsWith(bytes, 'ID3') || bytes.length < 10) return 0
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10)
  return 10 + (a << 21) + (b << 14) + (c << 7) + d
}

/** Length in bytes of the layer III frame at this offset, or null when there is none. */
function frameLength(bytes: Buffer, offset: number): number | null {
  if (offset + 4 > bytes.length) return null
  const [layer, rate] = [bytes.readUInt8(offset + 1), bytes.readUInt8(offset + 2)]
  if (bytes.readUInt8(offset) !== 0xff || (layer & 0xe0) !== 0xe0 || ((layer >> 1) & 3) !== 1) return null
  const version = VERSIONS[(layer >> 3) & 3]
  const kbps = version?.kbps[rate >> 4] ?? 0
  const hz = HZ_MPEG1[(rate >> 2) & 3]
  if (version === undefined || kbps === 0 || hz === undefined) return null
  return Math.floor((version.samples * kbps * 1_000) / (hz / version.divisor)) + ((rate >> 1) & 1)
}
