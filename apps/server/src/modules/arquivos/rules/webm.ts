import { latin1, startsWith } from './bytes.ts'

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
export function isWebmAudio(bytes: Buffer): boolean {
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
