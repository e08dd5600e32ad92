import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Checks Meta's signature of the raw body. Returns false without a configured secret. */
export function isSignatureValid(body: Buffer, header: string | undefined, secret: string): boolean {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '') ?? []
  if (secret === '' || hex === undefined) return false
  return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'))
}

/** Compares hashes, so the time does not depend on the content or the length. */
export function isTokenEqual(given: string, expected: string): boolean {
  const summary = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(summary(given), summary(expected))
}
