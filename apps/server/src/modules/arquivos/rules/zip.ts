import { latin1, startsWith } from './bytes.ts'

const END_SIGNATURE = Buffer.from('PK\u0005\u0006', 'latin1')
const END_SIZE = 22
const ENTRY_SIZE = 46
const COMMENT_MAX = 65_535

/** Returns the offset of the end-of-central-directory record, or null if the bytes do not end with a ZIP. */
export function findZipEnd(bytes: Buffer): number | null {
  const tail = bytes.subarray(Math.max(0, bytes.length - END_SIZE - COMMENT_MAX))
  for (
    let em = tail.lastIndexOf(END_SIGNATURE);
    em !== -1;
    em = em === 0 ? -1 : tail.lastIndexOf(END_SIGNATURE, em - 1)
  ) {
    const cabe = em + END_SIZE <= tail.length
    if (cabe && em + END_SIZE + tail.readUInt16LE(em + 20) === tail.length) return bytes.length - tail.length + em
  }
  return null
}

/** Returns the entry names of a ZIP from its central directory, or null if the directory is invalid. */
export function listZip(bytes: Buffer): string[] | null {
  const fim = findZipEnd(bytes)
  if (fim === null) return null
  const count = bytes.readUInt16LE(fim + 10)
  let em = bytes.readUInt32LE(fim + 16)
  const names: string[] = []
  while (names.length < count) {
    if (!startsWith(bytes, 'PK\u0001\u0002', em) || em + ENTRY_SIZE > fim) return null
    const [name, extra, comentario] = [28, 30, 32].map((field) => bytes.readUInt16LE(em + field))
    if (name === undefined || extra === undefined || comentario === undefined) return null
    names.push(latin1(bytes, em + ENTRY_SIZE, em + ENTRY_SIZE + name))
    em += ENTRY_SIZE + name + extra + comentario
  }
  return em <= fim ? names : null
}
