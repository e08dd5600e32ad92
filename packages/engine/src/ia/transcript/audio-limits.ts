import type { Midia } from '@balcao/contract/entities/mensagem'

export const AUDIO_BYTES_MAX = 10 * 1024 * 1024
export const AUDIO_SECONDS_MAX = 300

/** True for a stored audio that is small enough, as far as the service said its size. */
export function isTranscribable({ tipo, url, tamanhoBytes = 0 }: Midia): boolean {
  return tipo === 'audio' && url !== undefined && tamanhoBytes <= AUDIO_BYTES_MAX
}

/** True for bytes and, where the file says it, for seconds. */
export function isWithinAudioLimits(bytes: Uint8Array): boolean {
  return bytes.length <= AUDIO_BYTES_MAX && (audioSeconds(bytes) ?? 0) <= AUDIO_SECONDS_MAX
}

const OPUS_RATE = 48_000
/** Of an Ogg page: the position in samples, a little-endian number of 64 bits. */
const GRANULE_AT = 6
const PAGE_HEADER = 27

/** Length of a voice note in seconds: Ogg with Opus, or MP4 with AAC. Null for other and for broken files. Never throws. */
export function audioSeconds(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return startsWith(bytes, 0, 'OggS') ? opusSeconds(bytes, view) : mp4Seconds(bytes, view)
}

function opusSeconds(bytes: Uint8Array, view: DataView): number | null {
  if (findText(bytes, 'OpusHead', 0, 256) === null) return null
  for (let at = bytes.length - PAGE_HEADER; at >= 0; at -= 1) {
    if (startsWith(bytes, at, 'OggS')) return Number(view.getBigUint64(at + GRANULE_AT, true)) / OPUS_RATE
  }
  return null
}

function mp4Seconds(bytes: Uint8Array, view: DataView): number | null {
  if (!startsWith(bytes, 4, 'ftyp')) return null
  const at = findText(bytes, 'mvhd', 0, bytes.length - 36)
  if (at === null) return null
  // Behind the name: version and flags, two times, time scale and duration. Version 1 has times of 64 bits.
  const [scaleAt, isLong] = bytes[at + 4] === 1 ? [at + 24, true] : [at + 16, false]
  const duration = isLong ? Number(view.getBigUint64(scaleAt + 4)) : view.getUint32(scaleAt + 4)
  const scale = view.getUint32(scaleAt)
  return scale === 0 ? null : duration / scale
}

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

function findText(bytes: Uint8Array, text: string, from: number, until: number): number | null {
  for (let at = from; at < until; at += 1) if (startsWith(bytes, at, text)) return at
  return null
}
