import { generateURI, ScureBase32Plugin, verifySync } from 'otplib'
import type { NovoTotp } from '@balcao/contract/entities/identidade'
import { renderSVG } from 'uqr'
import type { Ids } from '#ports/ids.ts'

/** Codes of authenticator apps (RFC 6238): SHA-1, 6 digits, 30 s. */

const PERIOD_S = 30
const SECRET_BYTES = 20

const base32 = new ScureBase32Plugin()

export function createTotpSecret({ token }: Pick<Ids, 'token'>): string {
  return base32.encode(Buffer.from(token(), 'base64url').subarray(0, SECRET_BYTES), { padding: false })
}

export function describeTotp(segredo: string, email: string): NovoTotp {
  const uri = generateURI({ issuer: 'Balcão', label: email, secret: segredo })
  return { segredo, uri, qr: renderSVG(uri) }
}

/** Also accepts the code before and the one after. Null: wrong. */
export function matchingStep(secret: string, code: string, now: Date): number | null {
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret, token: code, epoch, period: PERIOD_S, epochTolerance: PERIOD_S })
  return result.valid ? Math.floor(epoch / PERIOD_S) + result.delta : null
}
