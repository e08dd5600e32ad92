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
  const http = createServer((pedido, resposta) => {
    const { pathname } = new URL(pedido.url ?? '/', 'http://fake')
    pedidos.push(`${pedido.method ?? ''} ${pathname}`)
    if (pedido.method === 'POST') {
      void buffer(pedido).then((bytes) => {
        arquivos.set(pathname, bytes)
        resposta.setHeader('content-type', 'application/json')
        resposta.end(JSON.stringify({ url: `https://mmg.whatsapp.net${pathname}`, direct_path: pathname }))
      })
      return
    }
    if (armazem.failures > 0) {
      armazem.failures -= 1
      resposta.writeHead(503).end()
      return
    }
    const bytes = arquivos.get(pathname)
    resposta.statusCode = bytes === undefined ? 404 : 200
    resposta.end(bytes)
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const endereco = http.address()
  const porta = endereco !== null && typeof endereco === 'object' ? endereco.port : 0
  const armazem: FakeMediaServer = {
    url: `http://127.0.0.1:${porta}`,
    files: arquivos,
    requests: pedidos,
    failures: 0,
    close: async () => {
      http.closeAllConnections()
      await new Promise<void>((resolve) => http.close(() => resolve()))
    },
  }
  return armazem
}
