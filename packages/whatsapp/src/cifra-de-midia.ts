import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { getMediaKeys } from 'baileys'

export type TipoRemoto = 'image' | 'video' | 'audio' | 'document' | 'sticker'

const MAC = 10

export interface ArquivoCifrado {
  readonly corpo: Buffer
  readonly mediaKey: Buffer
  readonly fileSha256: Buffer
  readonly fileEncSha256: Buffer
}

/**
 * Encrypts a file as WhatsApp stores it: AES-256-CBC with ten bytes of HMAC, under a key that only the message
 * contains.
 */
export async function cifrarMidia(claro: Uint8Array, tipo: TipoRemoto): Promise<ArquivoCifrado> {
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await chavesDe(mediaKey, tipo)
  const cifra = createCipheriv('aes-256-cbc', cipherKey, iv)
  const cifrado = Buffer.concat([cifra.update(claro), cifra.final()])
  const corpo = Buffer.concat([cifrado, macDe(macKey, iv, cifrado)])
  return { corpo, mediaKey, fileSha256: sha256(claro), fileEncSha256: sha256(corpo) }
}

/** Throws if the file was altered. */
export async function decifrarMidia(corpo: Buffer, mediaKey: Uint8Array, tipo: TipoRemoto): Promise<Buffer> {
  const { iv, cipherKey, macKey } = await chavesDe(mediaKey, tipo)
  const cifrado = corpo.subarray(0, -MAC)
  if (corpo.length <= MAC || !timingSafeEqual(corpo.subarray(-MAC), macDe(macKey, iv, cifrado))) {
    throw new Error('file altered or wrong key')
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
