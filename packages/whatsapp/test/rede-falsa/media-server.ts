import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface FakeMediaServer {
  readonly url: string
  readonly files: Map<string, Buffer>
  readonly requests: string[]
  /** Number of downloads that fail next. */
  failures: number
  readonly close: () => Promise<void>
}

export async function createFakeMediaServer(): Promise<FakeMediaServer> {
  const arquivos = new Map<string, Buffer>()
  const pedidos: string[] = []
  const http = createServer((request, reply) => {
    const { pathname } = new URL(request.url ?? '/', 'http://fake')
    pedidos.push(`${request.method ?? ''} ${pathname}`)
    if (request.method === 'POST') {
      void buffer(request).then((bytes) => {
        arquivos.set(pathname, bytes)
        reply.setHeader('content-type', 'application/json')
        reply.end(JSON.stringify({ url: `https://mmg.whatsapp.net${pathname}`, direct_path: pathname }))
      })
      return
    }
    if (store.failures > 0) {
      store.failures -= 1
      reply.writeHead(503).end()
      return
    }
    const bytes = arquivos.get(pathname)
    reply.statusCode = bytes === undefined ? 404 : 200
    reply.end(bytes)
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const endereco = http.address()
  const porta = endereco !== null && typeof endereco === 'object' ? endereco.port : 0
  const store: FakeMediaServer = {
    url: `http://127.0.0.1:${porta}`,
    files: arquivos,
    requests: pedidos,
    failures: 0,
    close: async () => {
      http.closeAllConnections()
      await new Promise<void>((resolve) => http.close(() => resolve()))
    },
  }
  return store
}
