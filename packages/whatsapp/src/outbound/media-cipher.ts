import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { getMediaKeys } from 'baileys'

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker'

const MAC_LENGTH = 10

/**
 * Encrypts a file as WhatsApp stores it: AES-256-CBC with ten bytes of HMAC, under a key that only the message
 * contains.
 */
export async function encryptMedia(plain: Uint8Array, kind: MediaKind) {
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await deriveKeys(mediaKey, kind)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  const body = Buffer.concat([encrypted, macOf(macKey, iv, encrypted)])
  return { body, mediaKey, fileSha256: sha256(plain), fileEncSha256: sha256(body) }
}

/** Throws if the file was altered. */
export async function decryptMedia(body: Buffer, mediaKey: Uint8Array, kind: MediaKind): Promise<Buffer> {
  const { iv, cipherKey, macKey } = await deriveKeys(mediaKey, kind)
  const encrypted = body.subarray(0, -MAC_LENGTH)
  if (body.length <= MAC_LENGTH || !timingSafeEqual(body.subarray(-MAC_LENGTH), macOf(macKey, iv, encrypted))) {
    throw new Error('file altered or wrong key')
  }
  const cipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  return Buffer.concat([cipher.update(encrypted), cipher.final()])
}

async function deriveKeys(
  mediaKey: Uint8Array,
  kind: MediaKind,
): Promise<{ iv: Uint8Array; cipherKey: Uint8Array; macKey: Uint8Array }> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, kind)
  if (macKey === undefined) throw new Error('no key for the file')
  return { iv, cipherKey, macKey }
}

function macOf(macKey: Uint8Array, iv: Uint8Array, ciphertext: Uint8Array): Buffer {
  return createHmac('sha256', macKey).update(iv).update(ciphertext).digest().subarray(0, MAC_LENGTH)
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
