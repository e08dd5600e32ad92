const OFICIAL = 'wss://web.whatsapp.com/ws/chat'
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Where to connect. The library does not verify who signed the server's certificate chain (its check ignores its own
 * result), so TLS to WhatsApp's host is the only proof of who answers: any other address is refused, loopback apart.
 */
export function enderecoDoServidor(pedido: string | undefined): string {
  if (pedido === undefined || pedido === '') return OFICIAL
  const { hostname, protocol } = new URL(pedido)
  if (!LOOPBACK.has(hostname) || (protocol !== 'ws:' && protocol !== 'wss:')) {
    throw new Error('WHATSAPP_WS_URL só aceita um endereço desta máquina (127.0.0.1, ::1 ou localhost)')
  }
  return pedido
}
