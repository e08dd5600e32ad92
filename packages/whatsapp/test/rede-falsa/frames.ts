import { NOISE_WA_HEADER } from 'baileys'

const TAMANHO = 3
/** `ED`, a version and a length: routing data that a returning client sends first. */
const PROLOGO_DE_ROTA = 7

export function comTamanho(payload: Uint8Array): Buffer {
  const frame = Buffer.alloc(payload.length + TAMANHO)
  frame.writeUIntBE(payload.length, 0, TAMANHO)
  frame.set(payload, TAMANHO)
  return frame
}

export interface LeitorDeFrames {
  /** Returns the payloads that this chunk completes. Throws if the stream does not start like WhatsApp's. */
  readonly ler: (pedaco: Buffer) => Buffer[]
}

export function createLeitorDeFrames(): LeitorDeFrames {
  let resto: Buffer = Buffer.alloc(0)
  let comecou = false

  const pularCabecalho = (): boolean => {
    let inicio = 0
    if (resto.toString('latin1', 0, 2) === 'ED') {
      if (resto.length < PROLOGO_DE_ROTA) return false
      inicio = PROLOGO_DE_ROTA + resto.readUIntBE(4, 3)
    }
    const fim = inicio + NOISE_WA_HEADER.length
    if (resto.length < fim) return false
    if (!resto.subarray(inicio, fim).equals(NOISE_WA_HEADER)) throw new Error('not a WhatsApp Web stream')
    resto = resto.subarray(fim)
    return true
  }

  return {
    ler: (pedaco) => {
      resto = Buffer.concat([resto, pedaco])
      comecou ||= pularCabecalho()
      const payloads: Buffer[] = []
      while (comecou && resto.length >= TAMANHO) {
        const fim = TAMANHO + resto.readUIntBE(0, TAMANHO)
        if (resto.length < fim) break
        payloads.push(resto.subarray(TAMANHO, fim))
        resto = resto.subarray(fim)
      }
      return payloads
    },
  }
}
