import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'

export interface SilentService {
  readonly url: string
  readonly port: number
  /** Requests or connections that wait for an answer. */
  readonly waiting: () => number
  readonly close: () => void
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Accepts every HTTP request and answers only those for which `answer` returns an object. */
export async function createSilentService(answer: (url: string) => object | null = () => null): Promise<SilentService> {
  let waiting = 0
  const server = createServer((request, reply) => {
    const body = answer(request.url ?? '')
    request.resume()
    if (body !== null)
      return void reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    waiting += 1
    reply.on('close', () => (waiting -= 1))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, port, waiting: () => waiting, close }
}

/** Accepts every connection and sends nothing, as a mail server that hangs. */
export async function createSilentPort(): Promise<SilentService> {
  const open = new Set<Socket>()
  const server = createTcpServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  const close = (): void => {
    for (const socket of open) socket.destroy()
    server.close()
  }
  return { url: `smtp://127.0.0.1:${port}`, port, waiting: () => open.size, close }
}
