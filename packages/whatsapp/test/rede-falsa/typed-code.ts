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
  const key = await derivePairingCodeKey(code, wrapped.subarray(0, SALT_LENGTH))
  return aesDecryptCTR(
    wrapped.subarray(SALT_LENGTH + IV_LENGTH),
    key,
    wrapped.subarray(SALT_LENGTH, SALT_LENGTH + IV_LENGTH),
  )
}

export interface HandshakeKeys {
  readonly own: KeyPair
  readonly ephemeral: KeyPair
  readonly deviceEphemeral: Uint8Array
  readonly identity: Buffer
}

/** The shared secret of both sides. Throws if the code was wrong or a key was replaced on the way. */
export function handshakeSecret(bundle: Buffer, { own, ephemeral, deviceEphemeral, identity }: HandshakeKeys): Buffer {
  const common = Curve.sharedKey(ephemeral.private, deviceEphemeral)
  const key = hkdf(common, KEY_LENGTH, {
    salt: bundle.subarray(0, SALT_LENGTH),
    info: 'link_code_pairing_key_bundle_encryption_key',
  })
  const open = decryptBundle(
    bundle.subarray(SALT_LENGTH + BUNDLE_IV_LENGTH),
    key,
    bundle.subarray(SALT_LENGTH, SALT_LENGTH + BUNDLE_IV_LENGTH),
  )
  if (!open.subarray(0, KEY_LENGTH).equals(identity) || !open.subarray(KEY_LENGTH, 2 * KEY_LENGTH).equals(own.public)) {
    throw new Error('pairing keys were replaced')
  }
  const daConta = Curve.sharedKey(own.private, identity)
  return Buffer.from(
    hkdf(Buffer.concat([common, daConta, open.subarray(2 * KEY_LENGTH)]), KEY_LENGTH, { info: 'adv_secret' }),
  )
}

function decryptBundle(encrypted: Buffer, key: Uint8Array, iv: Buffer): Buffer {
  const aes = createDecipheriv('aes-256-gcm', key, iv)
  aes.setAuthTag(encrypted.subarray(-TAG_LENGTH))
  return Buffer.concat([aes.update(encrypted.subarray(0, -TAG_LENGTH)), aes.final()])
}
