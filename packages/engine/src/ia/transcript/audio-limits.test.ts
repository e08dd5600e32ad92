import { describe, expect, it } from 'vitest'
import { AUDIO_BYTES_MAX, audioSeconds, isTranscribable, isWithinAudioLimits } from './audio-limits.ts'

const ascii = (letters: string): Uint8Array => Uint8Array.from(letters, (letter) => letter.charCodeAt(0))

function page(granule: number, content = ''): Uint8Array {
  const bytes = new Uint8Array(27 + content.length)
  bytes.set(ascii('OggS'))
  new DataView(bytes.buffer).setBigUint64(6, BigInt(granule), true)
  bytes.set(ascii(content), 27)
  return bytes
}

const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]))
const opus = (seconds: number): Uint8Array => join(page(0, 'OpusHead'), page(960), page(seconds * 48_000, 'fala'))

function mp4(seconds: number, version: 0 | 1): Uint8Array {
  const bytes = new Uint8Array(96)
  const view = new DataView(bytes.buffer)
  bytes.set(ascii('ftyp'), 4)
  bytes.set(ascii('mvhd'), 20)
  view.setUint8(24, version)
  view.setUint32(version === 1 ? 44 : 36, 1_000)
  if (version === 1) view.setBigUint64(48, BigInt(seconds * 1_000))
  else view.setUint32(40, seconds * 1_000)
  return bytes
}

describe('audioSeconds', () => {
  it('reads the length of Opus and of both versions of MP4', () => {
    expect([opus(12), mp4(12, 0), mp4(12, 1)].map(audioSeconds)).toEqual([12, 12, 12])
  })

  it('knows no length of other, empty and cut files', () => {
    const cut = [0, 3, 30].map((length) => opus(12).slice(0, length))
    const others = [page(48_000, 'vorbis'), mp4(1, 0).slice(0, 30), new Uint8Array(0), ascii('ID3')]
    expect([...cut, ...others].map(audioSeconds)).toEqual([null, null, null, null, null, null, null])
  })
})

describe('isWithinAudioLimits', () => {
  it('accepts five minutes and 10 MB, and no more', () => {
    expect([opus(300), opus(301), mp4(301, 0)].map(isWithinAudioLimits)).toEqual([true, false, false])
    expect([0, 1].map((more) => isWithinAudioLimits(new Uint8Array(AUDIO_BYTES_MAX + more)))).toEqual([true, false])
  })
})

describe('isTranscribable', () => {
  it('needs a stored audio of at most 10 MB', () => {
    const audio = { tipo: 'audio', url: '/api/midias/a.ogg' } as const
    expect(isTranscribable(audio)).toBe(true)
    expect(isTranscribable({ ...audio, tamanhoBytes: AUDIO_BYTES_MAX + 1 })).toBe(false)
    expect(isTranscribable({ tipo: 'audio' })).toBe(false)
    expect(isTranscribable({ ...audio, tipo: 'video' })).toBe(false)
  })
})
