/** Positions beyond the end give an empty text. */

export function latin1(bytes: Buffer, start: number, end: number): string {
  return bytes.subarray(start, Math.max(start, end)).toString('latin1')
}

export function startsWith(bytes: Buffer, signature: readonly number[] | string, offset = 0): boolean {
  const expected = typeof signature === 'string' ? Buffer.from(signature, 'latin1') : Buffer.from(signature)
  return bytes.subarray(offset, offset + expected.length).equals(expected)
}
