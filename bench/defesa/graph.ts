import { once } from 'node:events'
import { createServer } from 'node:http'

/** Meta's Graph API for a shop that writes much: it accepts everything at once. */
export async function startGraph(): Promise<{ readonly url: string; readonly close: () => void }> {
  let sent = 0
  const server = createServer((request, reply) => {
    request.resume()
    const answer = request.url?.includes('fields=')
      ? { display_phone_number: '5511990000001', verified_name: 'Loja' }
      : { success: true, messages: [{ id: `wamid.enviada.${(sent += 1)}` }] }
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
