import { createDecipheriv, randomBytes } from 'node:crypto'
import { aesDecryptCTR, aesEncryptCTR, Curve, derivePairingCodeKey, hkdf, type KeyPair } from 'baileys'

/** The phone's side of a pairing by typed code. Without the code, the server learns nothing from the messages. */

const SALT_LENGTH = 32
const IV_LENGTH = 16
const BUNDLE_IV_LENGTH = 12
const KEY_LENGTH = 32
const TAG_LENGTH = 16

export async function wrapKey(publicKey: Uint8Array, code: string): Promise<Buffer> {
  const sal = randomBytes(SALT_LENGTH)
  const iv = randomBytes(IV_LENGTH)
  return Buffer.concat([sal, iv, aesEncryptCTR(publicKey, await derivePairingCodeKey(code, sal), iv)])
}

/** A wrong code gives a useless key. */
export async function unwrapKey(wrapped: Buffer, code: string): Promise<Buffer> {
  const chave = await derivePairingCodeKey(code, wrapped.subarray(0, SALT_LENGTH))
  return aesDecryptCTR(wrapped.subarray(SALT_LENGTH + IV_LENGTH), chave, wrapped.subarray(SALT_LENGTH, SALT_LENGTH + IV_LENGTH))
}

export interface HandshakeKeys {
  readonly own: KeyPair
  readonly ephemeral: KeyPair
  readonly deviceEphemeral: Uint8Array
  readonly identity: Buffer
}

/** The shared secret of both sides. Throws if the code was wrong or a key was replaced on the way. */
export function handshakeSecret(bundle: Buffer, { own, ephemeral, deviceEphemeral, identity }: HandshakeKeys): Buffer {
  const comum = Curve.sharedKey(ephemeral.private, deviceEphemeral)
  const chave = hkdf(comum, KEY_LENGTH, {
    salt: bundle.subarray(0, SALT_LENGTH),
    info: 'link_code_pairing_key_bundle_encryption_key',
  })
  const aberto = decryptBundle(bundle.subarray(SALT_LENGTH + BUNDLE_IV_LENGTH), chave, bundle.subarray(SALT_LENGTH, SALT_LENGTH + BUNDLE_IV_LENGTH))
  if (!aberto.subarray(0, KEY_LENGTH).equals(identity) || !aberto.subarray(KEY_LENGTH, 2 * KEY_LENGTH).equals(own.public)) {
    throw new Error('pairing keys were replaced')
  }
  const daConta = Curve.sharedKey(own.private, identity)
  return Buffer.from(hkdf(Buffer.concat([comum, daConta, aberto.subarray(2 * KEY_LENGTH)]), KEY_LENGTH, { info: 'adv_secret' }))
}

function decryptBundle(cifrado: Buffer, chave: Uint8Array, iv: Buffer): Buffer {
  const aes = createDecipheriv('aes-256-gcm', chave, iv)
  aes.setAuthTag(cifrado.subarray(-TAG_LENGTH))
  return Buffer.concat([aes.update(cifrado.subarray(0, -TAG_LENGTH)), aes.final()])
}
