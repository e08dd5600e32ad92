const OFICIAL = 'wss://web.whatsapp.com/ws/chat'
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Where to connect. The library does not verify who signed the server's certificate chain (its check ignores its own
 * result), so TLS to WhatsApp's host is the only proof of who answers: any other address is refused, loopback apart.
 */
export function enderecoDoServidor(pedido: string | undefined): string {
  return pedido === undefined || pedido === '' ? OFICIAL : nestaMaquina(pedido, ['ws:', 'wss:'])
}

/** The address itself; throws unless it is on this machine. */
export function nestaMaquina(pedido: string, protocolos: readonly string[]): string {
  const { hostname, protocol } = new URL(pedido)
  if (!LOOPBACK.has(hostname) || !protocolos.includes(protocol)) {
    throw new Error('WHATSAPP_WS_URL só aceita um endereço desta máquina (127.0.0.1, ::1 ou localhost)')
  }
  return pedido
}
