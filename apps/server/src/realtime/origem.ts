import type { IncomingMessage } from 'node:http'

/** A browser page of another site may not open a socket. Clients that are no browser send no Origin; the token guards those. */
export function isOrigemPermitida(request: IncomingMessage, permitidas: readonly string[]): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.host === host || permitidas.includes(url.origin)
}
