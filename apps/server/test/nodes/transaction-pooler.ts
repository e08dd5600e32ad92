import { connect, createServer, type Server, type Socket } from 'node:net'
import type { TestDatabase } from '#test/database.ts'

/** Ends of a request of a client: a simple query and `sync` of the extended protocol. */
const REQUEST_END = new Set(['Q', 'S'])
const READY = 'Z'
const IDLE = 'I'
const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])

/** Splits a stream into messages. The first message of a client has no type. */
class Frames {
  #rest: Buffer = Buffer.alloc(0)
  #typed: boolean

  constructor(typed: boolean) {
    this.#typed = typed
  }

  take(chunk: Buffer): { readonly type: string; readonly bytes: Buffer }[] {
    const found = []
    this.#rest = Buffer.concat([this.#rest, chunk])
    for (;;) {
      const at = this.#typed ? 1 : 0
      if (this.#rest.length < at + 4) return found
      const end = at + this.#rest.readUInt32BE(at)
      if (this.#rest.length < end) return found
      found.push({
        type: this.#typed ? String.fromCharCode(this.#rest[0] ?? 0) : '',
        bytes: this.#rest.subarray(0, end),
      })
      this.#rest = this.#rest.subarray(end)
      this.#typed = true
    }
  }
}

interface Request {
  readonly client: Socket
  readonly bytes: Buffer
}

/**
 * Pooler in transaction mode with one server connection. The first client logs in; all others use its connection
 * between transactions. Listens on a port of this machine.
 */
export function createTransactionPooler({ host, port = 5432 }: TestDatabase['target']): Server {
  const server = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  server.on('error', () => undefined)
  const answers = new Frames(true)
  const waiting: Request[] = []
  const settings: Buffer[] = []
  /** Client of the running request or transaction. */
  let holder: Socket | null = null
  let ready = false
  const next = (): void => {
    const index = waiting.findIndex(({ client }) => holder === null || holder === client)
    const [request] = index === -1 ? [] : waiting.splice(index, 1)
    if (!ready || request === undefined) return
    ready = false
    holder = request.client
    server.write(request.bytes)
  }
  server.on('data', (chunk) => {
    for (const { type, bytes } of answers.take(chunk)) {
      if (type === 'S') settings.push(bytes)
      holder?.write(bytes)
      if (type !== READY) continue
      ready = true
      if (bytes.toString('latin1', 5) === IDLE) holder = null
      next()
    }
  })
  const welcome = (client: Socket): void =>
    void client.write(Buffer.concat([AUTHENTICATED, ...settings, Buffer.from([0x5a, 0, 0, 0, 5, 0x49])]))
  let first: Socket | null = null
  const pooler = createServer((client) => {
    const requests = new Frames(false)
    let request: Buffer[] = []
    client.on('error', () => undefined)
    client.on('data', (chunk) => {
      for (const { type, bytes } of requests.take(chunk)) {
        const loggingIn = first === null || (first === client && settings.length === 0)
        if (loggingIn) {
          first = holder = client
          server.write(bytes)
        } else if (type === '') welcome(client)
        else if (type !== 'X') {
          request.push(bytes)
          if (!REQUEST_END.has(type)) continue
          waiting.push({ client, bytes: Buffer.concat(request) })
          request = []
          next()
        }
      }
    })
  })
  pooler.on('close', () => server.destroy())
  return pooler
}
