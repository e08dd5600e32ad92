import type { Midia } from '@balcao/contract/entities/mensagem'

function isOgg(bytes: Buffer): boolean {
  if (!startsWith(bytes, 'OggS')) return false
  const segments = bytes[26] ?? 0
  const packet = 27 + segments
  return startsWith(bytes, 'OpusHead', packet) || startsWith(bytes, '\u0001vorbis', packet)
}

const BOX_PATH = ['moov', 'trak', 'mdia'] as const

function isMp4Audio(bytes: Buffer): boolean {
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
function isMp3(bytes: Buffer): boolean {
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

export interface ArquivoType {
  readonly mime: string
  /** The first one is the extension of the stored name. */
  readonly extensions: readonly [string, ...string[]]
  readonly midia: Extract<Midia['tipo'], 'imagem' | 'audio' | 'documento'>
}

interface FileSignature extends ArquivoType {
  readonly matches: (bytes: Buffer) => boolean
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** By content. The name and the type given by the sender are not trusted. */
const FILE_SIGNATURES: readonly FileSignature[] = [
  { mime: 'image/png', extensions: ['png'], midia: 'imagem', matches: isPng },
  {
    mime: 'image/jpeg',
    extensions: ['jpg', 'jpeg', 'jfif'],
    midia: 'imagem',
    matches: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]),
  },
  { mime: 'image/webp', extensions: ['webp'], midia: 'imagem', matches: isWebp },
  { mime: 'audio/ogg', extensions: ['ogg', 'oga', 'opus'], midia: 'audio', matches: isOgg },
  { mime: 'audio/webm', extensions: ['webm', 'weba'], midia: 'audio', matches: isWebmAudio },
  { mime: 'audio/mp4', extensions: ['m4a', 'mp4'], midia: 'audio', matches: isMp4Audio },
  { mime: 'audio/mpeg', extensions: ['mp3'], midia: 'audio', matches: isMp3 },
  { mime: 'application/pdf', extensions: ['pdf'], midia: 'documento', matches: (bytes) => startsWith(bytes, '%PDF-') },
  office('wordprocessingml.document', 'docx', 'word/document.xml'),
  office('spreadsheetml.sheet', 'xlsx', 'xl/workbook.xml'),
  { mime: 'text/plain', extensions: ['txt'], midia: 'documento', matches: isPlainText },
]

const CSV: ArquivoType = { mime: 'text/csv', extensions: ['csv'], midia: 'documento' }

/** Null if it is not on the allow-list. The name only separates CSV from plain text. */
export function sniffType(bytes: Buffer, originalName: string): ArquivoType | null {
  const found = FILE_SIGNATURES.find(({ matches }) => matches(bytes))
  if (found === undefined || isTwoThings(bytes, found)) return null
  return found.mime === 'text/plain' && /\.csv$/i.test(originalName) ? CSV : found
}

/** Detects polyglots: a picture that is also an HTML page, a document that is also an archive. */
function isTwoThings(bytes: Buffer, { midia, extensions: [extension] }: ArquivoType): boolean {
  if (midia !== 'documento') return hidesPage(bytes) || hidesPdf(bytes) || findZipEnd(bytes) !== null
  return extension === 'pdf' && findZipEnd(bytes) !== null
}

/** PDF readers accept the header anywhere in the first kilobyte. */
function hidesPdf(bytes: Buffer): boolean {
  return latin1(bytes, 0, 1_024).includes('%PDF-')
}

function isPng(bytes: Buffer): boolean {
  return startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) && latin1(bytes, 12, 16) === 'IHDR'
}

function isWebp(bytes: Buffer): boolean {
  return (
    startsWith(bytes, 'RIFF') && latin1(bytes, 8, 15) === 'WEBPVP8' && bytes.readUInt32LE(4) + 8 <= bytes.length + 1
  )
}

/** Files with macros are rejected. */
function office(subtipo: string, extension: string, part: string): FileSignature {
  return {
    mime: `${OFFICE}.${subtipo}`,
    extensions: [extension],
    midia: 'documento',
    matches: (bytes) => {
      const names = startsWith(bytes, 'PK\u0003\u0004') ? listZip(bytes) : null
      if (names === null || !names.includes('[Content_Types].xml') || !names.includes(part)) return false
      return !names.some((name) => name.endsWith('vbaProject.bin'))
    },
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

const MARKUP =
  /<(?:!doctype|\?(?:php|=)|html|head|body|script|svg|iframe|object|embed|meta|link|style|img|a\s|x:)|javascript:/i
/** Weaker pattern for pictures and audio, whose metadata contains XML such as `<x:xmpmeta`. */
const PAGE_MARKUP = /<(?:!doctype html|\?php|html|body|script|svg|iframe)[\s>/]/i

export function isPlainText(bytes: Buffer): boolean {
  let text: string
  try {
    text = UTF8.decode(bytes)
  } catch {
    return false
  }
  // oxlint-disable-next-line no-control-regex -- the pattern finds control characters, which text files do not contain
  if (/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text)) return false
  return !/^\s*(?:<|#!|%!)/.test(text) && !MARKUP.test(text)
}

export function hidesPage(bytes: Buffer): boolean {
  return PAGE_MARKUP.test(bytes.toString('latin1'))
}

const END_SIGNATURE = Buffer.from('PK\u0005\u0006', 'latin1')
const END_SIZE = 22
const ENTRY_SIZE = 46
const COMMENT_MAX = 65_535

function findZipEnd(bytes: Buffer): number | null {
  const tail = bytes.subarray(Math.max(0, bytes.length - END_SIZE - COMMENT_MAX))
  for (
    let em = tail.lastIndexOf(END_SIGNATURE);
    em !== -1;
    em = em === 0 ? -1 : tail.lastIndexOf(END_SIGNATURE, em - 1)
  ) {
    const fits = em + END_SIZE <= tail.length
    if (fits && em + END_SIZE + tail.readUInt16LE(em + 20) === tail.length) return bytes.length - tail.length + em
  }
  return null
}

function listZip(bytes: Buffer): string[] | null {
  const end = findZipEnd(bytes)
  if (end === null) return null
  const count = bytes.readUInt16LE(end + 10)
  let em = bytes.readUInt32LE(end + 16)
  const names: string[] = []
  while (names.length < count) {
    if (!startsWith(bytes, 'PK\u0001\u0002', em) || em + ENTRY_SIZE > end) return null
    const [name, extra, comentario] = [28, 30, 32].map((field) => bytes.readUInt16LE(em + field))
    if (name === undefined || extra === undefined || comentario === undefined) return null
    names.push(latin1(bytes, em + ENTRY_SIZE, em + ENTRY_SIZE + name))
    em += ENTRY_SIZE + name + extra + comentario
  }
  return em <= end ? names : null
}

const EBML = 0x1a45dfa3
const DOC_TYPE = 0x4282
const SEGMENT = 0x18538067
const TRACKS = 0x1654ae6b
const TRACK_ENTRY = 0xae
const TRACK_TYPE = 0x83
const CODEC_ID = 0x86

const AUDIO_TRACK = 2
/** Bounds the work for a file of many small elements. */
const HEADER_BYTES = 65_536

interface Range {
  readonly start: number
  readonly end: number
}

/** The media after the header contains any pair of letters, so the tracks are read. */
function isWebmAudio(bytes: Buffer): boolean {
  if (!startsWith(bytes, [0x1a, 0x45, 0xdf, 0xa3])) return false
  const header = bytes.subarray(0, HEADER_BYTES)
  const file = { start: 0, end: header.length }
  const [docType] = findElements(header, file, [EBML, DOC_TYPE])
  if (docType === undefined || latin1(header, docType.start, docType.end) !== 'webm') return false
  const tracks = findElements(header, file, [SEGMENT, TRACKS, TRACK_ENTRY])
  return tracks.length > 0 && tracks.every((track) => isAudioTrack(header, track))
}

function isAudioTrack(header: Buffer, track: Range): boolean {
  const [type] = findElements(header, track, [TRACK_TYPE])
  const [codec] = findElements(header, track, [CODEC_ID])
  if (type === undefined || codec === undefined) return false
  return header[type.end - 1] === AUDIO_TRACK && /^A_(OPUS|VORBIS)$/.test(latin1(header, codec.start, codec.end))
}

function findElements(header: Buffer, parent: Range, [id, ...inside]: readonly number[]): Range[] {
  const found: Range[] = []
  for (let at = parent.start; at < parent.end;) {
    const element = readElement(header, at, parent.end)
    if (element === null) return found
    const { content } = element
    if (element.id === id) found.push(...(inside.length === 0 ? [content] : findElements(header, content, inside)))
    at = content.end
  }
  return found
}

/** An element of unknown size, such as the segment of a live recording, extends to the end of its parent. */
function readElement(header: Buffer, at: number, parentEnd: number): { id: number; content: Range } | null {
  const idLength = numberLength(header, at)
  const sizeLength = idLength === null ? null : numberLength(header, at + idLength)
  if (idLength === null || idLength > 4 || sizeLength === null) return null
  const start = at + idLength + sizeLength
  if (start > parentEnd) return null
  const id = header.readUIntBE(at, idLength)
  // The bit that gives the length is not part of the size.
  let size = header.readUInt8(at + idLength) & (0xff >> sizeLength)
  for (let next = at + idLength + 1; next < start; next += 1) size = size * 256 + header.readUInt8(next)
  const unknown = size >= 2 ** (7 * sizeLength) - 1
  return { id, content: { start, end: unknown ? parentEnd : Math.min(start + size, parentEnd) } }
}

/** The zero bits before the first one bit give the number of further bytes. Null when no valid number starts here. */
function numberLength(header: Buffer, at: number): number | null {
  const first = header[at] ?? 0
  return first === 0 ? null : Math.clz32(first) - 23
}

export function latin1(bytes: Buffer, start: number, end: number): string {
  return bytes.subarray(start, Math.max(start, end)).toString('latin1')
}

export function startsWith(bytes: Buffer, signature: readonly number[] | string, offset = 0): boolean {
  const expected = typeof signature === 'string' ? Buffer.from(signature, 'latin1') : Buffer.from(signature)
  return bytes.subarray(offset, offset + expected.length).equals(expected)
}
