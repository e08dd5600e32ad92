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
  readonly read: (pedaco: Buffer) => Buffer[]
}

export function createFrameReader(): FrameReader {
  let resto: Buffer = Buffer.alloc(0)
  let comecou = false

  const pularCabecalho = (): boolean => {
    let inicio = 0
    if (resto.toString('latin1', 0, 2) === 'ED') {
      if (resto.length < ROUTING_PROLOGUE) return false
      inicio = ROUTING_PROLOGUE + resto.readUIntBE(4, 3)
    }
    const fim = inicio + NOISE_WA_HEADER.length
    if (resto.length < fim) return false
    if (!resto.subarray(inicio, fim).equals(NOISE_WA_HEADER)) throw new Error('not a WhatsApp Web stream')
    resto = resto.subarray(fim)
    return true
  }

  return {
    read: (pedaco) => {
      resto = Buffer.concat([resto, pedaco])
      comecou ||= pularCabecalho()
      const payloads: Buffer[] = []
      while (comecou && resto.length >= LENGTH_BYTES) {
        const fim = LENGTH_BYTES + resto.readUIntBE(0, LENGTH_BYTES)
        if (resto.length < fim) break
        payloads.push(resto.subarray(LENGTH_BYTES, fim))
        resto = resto.subarray(fim)
      }
      return payloads
    },
  }
}
