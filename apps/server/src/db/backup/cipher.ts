import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

/*
 * Encrypted file: these bytes, salt, nonce, AES-256-GCM ciphertext, tag. scrypt derives the key from the
 * passphrase.
 */
const MAGIC = Buffer.from('BALCAO-CIFRADO-1\n')
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 } as const

/** Deriving takes about 0.1 s, so files of one run share a key. Each has its own nonce. */
export interface FileKey {
  readonly salt: Buffer
  readonly key: Buffer
}

export const newSalt = (): Buffer => randomBytes(SALT_BYTES)

export function deriveFileKey(passphrase: string, salt = newSalt()): FileKey {
  return { salt, key: scryptSync(passphrase.normalize('NFC'), salt, 32, SCRYPT) }
}

/** Finds the key of an encrypted file by its salt and keeps it for the next file. */
export function createKeyFinder(passphrase: string | null): (salt: Buffer) => Buffer {
  const known = new Map<string, Buffer>()
  return (salt) => {
    if (passphrase === null) throw new Error('O arquivo está cifrado: informe a chave dele em BALCAO_BACKUP_CHAVE.')
    const name = salt.toString('hex')
    const key = known.get(name) ?? deriveFileKey(passphrase, salt).key
    known.set(name, key)
    return key
  }
}

export async function* encrypt(source: AsyncIterable<Buffer>, { salt, key }: FileKey): AsyncGenerator<Buffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  yield Buffer.concat([MAGIC, salt, nonce])
  for await (const chunk of source) yield cipher.update(chunk)
  yield cipher.final()
  yield cipher.getAuthTag()
}

/**
 * Decrypts a backup file; passes an unencrypted file through. The tag is checked at the end: until the generator
 * finishes, its output is unverified. Throws if one bit differs.
 */
export async function* decrypt(
  source: AsyncIterable<Buffer>,
  findKey: (salt: Buffer) => Buffer,
): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  const head = await atLeast(chunks, Buffer.alloc(0), MAGIC.length + SALT_BYTES + NONCE_BYTES)
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) {
    yield head
    yield* rest(chunks)
    return
  }
  const key = findKey(head.subarray(MAGIC.length, MAGIC.length + SALT_BYTES))
  const start = MAGIC.length + SALT_BYTES + NONCE_BYTES
  const cipher = createDecipheriv('aes-256-gcm', key, head.subarray(start - NONCE_BYTES, start))
  // Holds back the last 16 bytes: they may be the tag.
  let stored = head.subarray(start)
  for await (const chunk of rest(chunks)) {
    stored = Buffer.concat([stored, chunk])
    const ready = Math.max(0, stored.length - TAG_BYTES)
    yield cipher.update(stored.subarray(0, ready))
    stored = stored.subarray(ready)
  }
  yield cipher.update(stored.subarray(0, -TAG_BYTES))
  yield finish(cipher, stored.subarray(-TAG_BYTES))
}

function finish(
  cipher: ReturnType<typeof createDecipheriv> & { setAuthTag: (tag: Buffer) => unknown },
  tag: Buffer,
): Buffer {
  try {
    cipher.setAuthTag(tag)
    return cipher.final()
  } catch {
    throw new Error('O arquivo está danificado, ou a chave não é a dele.')
  }
}

async function atLeast(chunks: AsyncIterator<Buffer>, start: Buffer, bytes: number): Promise<Buffer> {
  if (start.length >= bytes) return start
  const proximo = await chunks.next()
  return proximo.done === true ? start : atLeast(chunks, Buffer.concat([start, proximo.value]), bytes)
}

async function* rest(chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  for (let proximo = await chunks.next(); proximo.done !== true; proximo = await chunks.next()) yield proximo.value
}
