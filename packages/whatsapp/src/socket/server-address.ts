const OFFICIAL_ADDRESS = 'wss://web.whatsapp.com/ws/chat'
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * The address of the server: WhatsApp's, or a loopback address. The library ignores the result of its certificate
 * check, so TLS to WhatsApp's host is the only proof of identity. Throws on any other address.
 */
export function serverAddress(requested: string | undefined): string {
  return requested === undefined || requested === '' ? OFFICIAL_ADDRESS : requireLoopback(requested, ['ws:', 'wss:'])
}

/** Returns the address; throws if it is not on this machine. */
export function requireLoopback(address: string, protocols: readonly string[]): string {
  const { hostname, protocol } = new URL(address)
  if (!LOOPBACK.has(hostname) || !protocols.includes(protocol)) {
    throw new Error('WHATSAPP_WS_URL só aceita um endereço desta máquina (127.0.0.1, ::1 ou localhost)')
  }
  return address
}
