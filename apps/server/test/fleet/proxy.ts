import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { every } from '#lib/every.ts'
import { isReady } from './processes.ts'

const COOKIE = 'no'

export interface Proxy {
  readonly url: string
  /** Nodes that answered the last check of their readiness. */
  readonly ready: () => readonly string[]
  readonly close: () => Promise<void>
}

interface ProxyOptions {
  /** Nodes, also those that are not running. */
  readonly urls: () => readonly string[]
  /** Interval of the checks of `/api/ready`. */
  readonly checkMs?: number
}

/**
 * A reverse proxy in front of the nodes. It takes the ready ones in turn. A cookie keeps the requests of one browser
 * to `/socket.io` on one node. A node that refuses the connection is replaced by the next one.
 */
export async function startProxy({ urls, checkMs = 200 }: ProxyOptions): Promise<Proxy> {
  const nodes = new ReadyNodes(urls)
  await nodes.check()
  const checks = every({ ms: checkMs, task: () => nodes.check(), failed: () => undefined })
  const sockets = new Set<Socket>()
  const server = createServer((incoming, answer) => {
    pass(nodes, incoming, answer).catch(() => answer.writeHead(502).end())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (incoming, socket: Socket, head) => upgrade(nodes.inOrder(incoming)[0], incoming, socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    ready: () => nodes.ready,
    close: async () => {
      await checks.stop()
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

class ReadyNodes {
  readonly #urls: () => readonly string[]
  ready: readonly string[] = []
  #turn = 0

  constructor(urls: () => readonly string[]) {
    this.#urls = urls
  }

  async check(): Promise<void> {
    const checked = await Promise.all(this.#urls().map(async (url) => ((await isReady(url)) ? [url] : [])))
    this.ready = checked.flat()
  }

  /** The node of the cookie or of this turn first, then the others. */
  inOrder(incoming: IncomingMessage): readonly string[] {
    const sticky = isSocketIo(incoming) ? this.ready.indexOf(cookieOf(incoming)) : -1
    const first = sticky === -1 ? (this.#turn += 1) % Math.max(1, this.ready.length) : sticky
    return [...this.ready.slice(first), ...this.ready.slice(0, first)]
  }
}

const isSocketIo = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/socket.io')

function cookieOf({ headers: { cookie = '' } }: IncomingMessage): string {
  const pairs = new URLSearchParams(cookie.replaceAll('; ', '&'))
  return pairs.get(COOKIE) ?? ''
}

async function pass(nodes: ReadyNodes, incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const body = await buffer(incoming)
  const reply = await askFirst(nodes.inOrder(incoming), incoming, body)
  if (isSocketIo(incoming))
    answer.setHeader('set-cookie', `${COOKIE}=${encodeURIComponent(reply.node)}; Path=/socket.io`)
  answer.writeHead(reply.message.statusCode ?? 502, reply.message.headers)
  reply.message.pipe(answer)
}

interface Reply {
  readonly node: string
  readonly message: IncomingMessage
}

/** Throws when every node refused the connection, and when one broke it, which may have handled the request. */
async function askFirst(urls: readonly string[], incoming: IncomingMessage, body: Buffer): Promise<Reply> {
  for (const node of urls) {
    try {
      return { node, message: await ask(node, incoming, body) }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')) throw error
    }
  }
  throw new Error('no node is ready')
}

function ask(node: string, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(targetOf(node, incoming))
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

function targetOf(node: string, { url = '/', method, headers, socket }: IncomingMessage): RequestOptions {
  const { hostname, port } = new URL(node)
  return {
    ...{ hostname, port, path: url, agent: false },
    ...(method === undefined ? {} : { method }),
    headers: { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '' },
  }
}

function upgrade(node: string | undefined, incoming: IncomingMessage, socket: Socket, head: Buffer): void {
  socket.on('error', () => socket.destroy())
  if (node === undefined) return void socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n')
  const outgoing = request(targetOf(node, incoming))
  outgoing.on('error', () => socket.destroy())
  outgoing.on('response', () => socket.destroy())
  outgoing.on('upgrade', (reply, far, farHead) => {
    const lines = Object.entries(reply.headers).map(([name, value]) => `${name}: ${String(value)}`)
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
    // The first frames may arrive together with the answer.
    socket.write(farHead)
    far.write(head)
    far.pipe(socket).pipe(far)
    far.on('error', () => socket.destroy())
    for (const [side, other] of [
      [far, socket],
      [socket, far],
    ] as const)
      side.on('close', () => other.destroy())
  })
  outgoing.end()
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('proxy without a port')
  return address.port
}
