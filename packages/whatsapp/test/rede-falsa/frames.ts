import { NOISE_WA_HEADER } from 'baileys'

const LENGTH_BYTES = 3
/** `ED`, a version and a length: routing data that a returning client sends first. */
const ROUTING_PROLOGUE = 7

export function withLength(payload: Uint8Array): Buffer {
  const frame = Buffer.alloc(payload.length + LENGTH_BYTES)
  frame.writeUIntBE(payload.length, 0, LENGTH_BYTES)
  frame.set(payload, LENGTH_BYTES)
  return frame
}

export interface FrameReader {
  /** Returns the payloads that this chunk completes. Throws if the stream does not start like WhatsApp's. */
  readonly read: (chunk: Buffer) => Buffer[]
}

export function createFrameReader(): FrameReader {
  let rest: Buffer = Buffer.alloc(0)
  let comecou = false

  const pularCabecalho = (): boolean => {
    let start = 0
    if (rest.toString('latin1', 0, 2) === 'ED') {
      if (rest.length < ROUTING_PROLOGUE) return false
      start = ROUTING_PROLOGUE + rest.readUIntBE(4, 3)
    }
    const fim = start + NOISE_WA_HEADER.length
    if (rest.length < fim) return false
    if (!rest.subarray(start, fim).equals(NOISE_WA_HEADER)) throw new Error('not a WhatsApp Web stream')
    rest = rest.subarray(fim)
    return true
  }

  return {
    read: (chunk) => {
      rest = Buffer.concat([rest, chunk])
      comecou ||= pularCabecalho()
      const payloads: Buffer[] = []
      while (comecou && rest.length >= LENGTH_BYTES) {
        const fim = LENGTH_BYTES + rest.readUIntBE(0, LENGTH_BYTES)
        if (rest.length < fim) break
        payloads.push(rest.subarray(LENGTH_BYTES, fim))
        rest = rest.subarray(fim)
      }
      return payloads
    },
  }
}
