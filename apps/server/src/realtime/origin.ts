import type { IncomingMessage } from 'node:http'

/** Refuses pages of other sites. Clients other than browsers send no Origin and are checked by their token. */
export function isAllowedOrigin(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.host === host || allowed.includes(url.origin)
}
