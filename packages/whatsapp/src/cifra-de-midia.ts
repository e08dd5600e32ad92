import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { getMediaKeys } from 'baileys'

/** The five kinds of file that WhatsApp derives keys for. */
export type TipoRemoto = 'image' | 'video' | 'audio' | 'document' | 'sticker'

const MAC = 10

export interface ArquivoCifrado {
  readonly corpo: Buffer
  readonly mediaKey: Buffer
  readonly fileSha256: Buffer
  readonly fileEncSha256: Buffer
}

/** A file as it lies on WhatsApp's servers: AES-256-CBC and ten bytes of HMAC, under a key that only the message carries. */
export async function cifrarMidia(claro: Uint8Array, tipo: TipoRemoto): Promise<ArquivoCifrado> {
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await chavesDe(mediaKey, tipo)
  const cifra = createCipheriv('aes-256-cbc', cipherKey, iv)
  const cifrado = Buffer.concat([cifra.update(claro), cifra.final()])
  const corpo = Buffer.concat([cifrado, macDe(macKey, iv, cifrado)])
  return { corpo, mediaKey, fileSha256: sha256(claro), fileEncSha256: sha256(corpo) }
}

/** Throws when a bit was changed on the way. */
export async function decifrarMidia(corpo: Buffer, mediaKey: Uint8Array, tipo: TipoRemoto): Promise<Buffer> {
  const { iv, cipherKey, macKey } = await chavesDe(mediaKey, tipo)
  const cifrado = corpo.subarray(0, -MAC)
  if (corpo.length <= MAC || !timingSafeEqual(corpo.subarray(-MAC), macDe(macKey, iv, cifrado))) {
    throw new Error('the file is not the one that was sent')
  }
  const cifra = createDecipheriv('aes-256-cbc', cipherKey, iv)
  return Buffer.concat([cifra.update(cifrado), cifra.final()])
}

async function chavesDe(
  mediaKey: Uint8Array,
  tipo: TipoRemoto,
): Promise<{ iv: Uint8Array; cipherKey: Uint8Array; macKey: Uint8Array }> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, tipo)
  if (macKey === undefined) throw new Error('no key for the file')
  return { iv, cipherKey, macKey }
}

function macDe(macKey: Uint8Array, iv: Uint8Array, cifrado: Uint8Array): Buffer {
  return createHmac('sha256', macKey).update(iv).update(cifrado).digest().subarray(0, MAC)
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
