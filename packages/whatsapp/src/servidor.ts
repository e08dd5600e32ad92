const OFICIAL = 'wss://web.whatsapp.com/ws/chat'
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * The address of the server: WhatsApp's, or a loopback address. The library ignores the result of its certificate
 * check, so TLS to WhatsApp's host is the only proof of identity. Throws on any other address.
 */
export function enderecoDoServidor(pedido: string | undefined): string {
  return pedido === undefined || pedido === '' ? OFICIAL : nestaMaquina(pedido, ['ws:', 'wss:'])
}

/** Returns the address; throws if it is not on this machine. */
export function nestaMaquina(pedido: string, protocolos: readonly string[]): string {
  const { hostname, protocol } = new URL(pedido)
  if (!LOOPBACK.has(hostname) || !protocolos.includes(protocol)) {
    throw new Error('WHATSAPP_WS_URL só aceita um endereço desta máquina (127.0.0.1, ::1 ou localhost)')
  }
  return pedido
}
