import { createHash } from 'node:crypto'

/** What is kept of a session or reset token: its SHA-256. The token itself exists only at its holder. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
