import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

/*
 * Encrypted file: these bytes, salt, 7 bytes of the nonce, then parts of AES-256-GCM ciphertext and tag. scrypt derives
 * the key from the passphrase. The nonce of a part ends with its number (4 bytes) and 1 for the last part (1 byte), so
 * no part can be left out, repeated or moved. This is the construction STREAM of Hoang, Reyhanitabar, Rogaway and Vizár
 * (2015). One nonce for a whole file would end at 64 GiB.
 */
const MAGIC = Buffer.from('BALCAO-CIFRADO-2\n')
const SALT_BYTES = 16
const PREFIX_BYTES = 7
const HEAD_BYTES = MAGIC.length + SALT_BYTES + PREFIX_BYTES
const TAG_BYTES = 16
/** Content of a part, except of the last one. Part of the format. */
const PART_BYTES = 2 ** 20

/** Files of earlier versions: these bytes, salt, nonce, one ciphertext, tag. They are read only. */
const SINGLE_MAGIC = Buffer.from('BALCAO-CIFRADO-1\n')
const NONCE_BYTES = 12
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
  const prefix = randomBytes(PREFIX_BYTES)
  yield Buffer.concat([MAGIC, salt, prefix])
  for await (const { number, last, bytes } of cutParts(source, PART_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(prefix, number, last))
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/**
 * Decrypts a backup file; passes an unencrypted file through. Each part is checked before its content is returned, but
 * a missing end is noticed only at the end. Throws if one bit differs.
 */
export async function* decrypt(
  source: AsyncIterable<Buffer>,
  findKey: (salt: Buffer) => Buffer,
): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  const head = await atLeast(chunks, Buffer.alloc(0), HEAD_BYTES + NONCE_BYTES)
  const magic = head.subarray(0, MAGIC.length)
  const all = prepend(head, chunks)
  if (magic.equals(MAGIC)) yield* decryptParts(head, all, findKey)
  else if (magic.equals(SINGLE_MAGIC)) yield* decryptSingle(head, chunks, findKey)
  else yield* all
}

async function* decryptParts(
  head: Buffer,
  all: AsyncIterable<Buffer>,
  findKey: (salt: Buffer) => Buffer,
): AsyncGenerator<Buffer> {
  const key = findKey(head.subarray(MAGIC.length, MAGIC.length + SALT_BYTES))
  const prefix = head.subarray(HEAD_BYTES - PREFIX_BYTES, HEAD_BYTES)
  for await (const { number, last, bytes } of cutParts(skip(all, HEAD_BYTES), PART_BYTES + TAG_BYTES)) {
    const cipher = createDecipheriv('aes-256-gcm', key, nonceOf(prefix, number, last))
    const content = cipher.update(bytes.subarray(0, -TAG_BYTES))
    const end = finish(cipher, bytes.subarray(-TAG_BYTES))
    yield Buffer.concat([content, end])
  }
}

/** The tag is checked at the end: until the generator finishes, its output is unverified. */
async function* decryptSingle(
  head: Buffer,
  chunks: AsyncIterator<Buffer>,
  findKey: (salt: Buffer) => Buffer,
): AsyncGenerator<Buffer> {
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

interface Part {
  readonly number: number
  readonly last: boolean
  readonly bytes: Buffer
}

/** Cuts the content into parts of this size. The last one, which may be empty, is shorter or of this size. */
async function* cutParts(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Part> {
  let waiting: Buffer[] = []
  let bytes = 0
  let number = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes <= size) continue
    let all = Buffer.concat(waiting)
    for (; all.length > size; all = all.subarray(size))
      yield { number: number++, last: false, bytes: all.subarray(0, size) }
    waiting = [all]
    bytes = all.length
  }
  yield { number, last: true, bytes: Buffer.concat(waiting) }
}

function nonceOf(prefix: Buffer, number: number, last: boolean): Buffer {
  const end = Buffer.alloc(NONCE_BYTES - PREFIX_BYTES)
  end.writeUInt32BE(number)
  end.writeUInt8(last ? 1 : 0, 4)
  return Buffer.concat([prefix, end])
}

async function* prepend(head: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield* rest(chunks)
}

async function* skip(source: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count
  for await (const chunk of source) {
    yield chunk.subarray(left)
    left = 0
  }
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
