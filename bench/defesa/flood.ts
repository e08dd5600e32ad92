import { connect } from 'node:net'

export interface FloodLine {
  readonly url: string
  readonly localAddress: string
  /** Requests on their way at the same time. */
  readonly inFlight: number
  /** Text of the next request. Null: no further request. */
  readonly next: () => string | null
  readonly onAnswer: (status: string) => void
}

const STATUS = /HTTP\/1\.1 (\d{3}) /g
/** Bytes of a status line, which two reads may share. */
const STATUS_BYTES = 13

/** Sends requests ahead of the answers on one connection, and opens it again when the server closes it. */
export function openFloodLine(line: FloodLine): void {
  const { hostname, port } = new URL(line.url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: line.localAddress })
  let waiting = 0
  let carried = ''
  let ended = false
  const fill = (): void => {
    const requests: string[] = []
    while (waiting < line.inFlight && !ended) {
      const request = line.next()
      ended = request === null
      if (request === null) break
      requests.push(request)
      waiting += 1
    }
    if (requests.length > 0) socket.write(requests.join(''))
  }
  socket.on('connect', fill)
  socket.on('data', (bytes: Buffer) => {
    const text = carried + bytes.toString('latin1')
    let read = 0
    for (const match of text.matchAll(STATUS)) {
      waiting -= 1
      read = match.index + STATUS_BYTES
      line.onAnswer(match[1] ?? '')
    }
    carried = text.slice(Math.max(read, text.length - STATUS_BYTES + 1))
    fill()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    if (!ended) setTimeout(() => openFloodLine(line), 5)
  })
}

export function requestText(method: 'GET' | 'POST', path: string, token: string | null, body?: object): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    ...(token === null ? [] : [`authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ]
  return `${headers.join('\r\n')}\r\n\r\n${text}`
}
