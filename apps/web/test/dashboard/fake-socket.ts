import type { ServerEventName } from '@balcao/contract/realtime'

/**
 * Fake server end of the socket: Engine.IO 4 and Socket.IO 5 over a fake WebSocket. Import it before the client,
 * which reads the constructor when it loads.
 */

const openSockets = new Set<FakeSocket>()
let accepts = true
let refusal: string | null = null
const Real = globalThis.WebSocket

const refuse = (code: string, message: string): string => `44${JSON.stringify({ message, data: { codigo: code } })}`

class FakeSocket extends EventTarget {
  readonly url: string
  binaryType = 'blob'
  readyState: number = Real.CONNECTING
  onopen: (() => void) | null = null
  onclose: ((event: { reason: string }) => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onerror: ((event: unknown) => void) | null = null

  constructor(url: string) {
    super()
    this.url = url
    setTimeout(() => {
      // Like a browser's, a socket closed while it connects never opens.
      if (this.readyState !== Real.CONNECTING) return
      if (accepts) this.open()
      else this.fail()
    })
  }

  private open(): void {
    this.readyState = Real.OPEN
    openSockets.add(this)
    this.onopen?.()
    this.receive(
      `0${JSON.stringify({ sid: 'e', upgrades: [], pingInterval: 60_000, pingTimeout: 60_000, maxPayload: 1e6 })}`,
    )
  }

  private fail(): void {
    this.readyState = Real.CLOSED
    this.onerror?.(new Error('refused'))
    this.onclose?.({ reason: 'refused' })
  }

  receive(data: string): void {
    this.onmessage?.({ data })
  }

  send(data: string): void {
    if (data.startsWith('40')) setTimeout(() => this.receive(refusal ?? '40{"sid":"s"}'))
  }

  close(): void {
    if (this.readyState === Real.CLOSED) return
    this.readyState = Real.CLOSED
    openSockets.delete(this)
    this.onclose?.({ reason: 'closed' })
  }
}

globalThis.WebSocket = new Proxy(Real, {
  construct(target, [url, protocolos]: [string | URL, (string | string[])?]) {
    return String(url).includes('/socket.io')
      ? new FakeSocket(String(url))
      : Reflect.construct(target, [url, protocolos])
  },
})

export const fakeSocket = {
  /** Sends an event to all open connections. Throws without one, because the event would be lost. */
  emit: (event: ServerEventName, dados: object): void => {
    if (openSockets.size === 0) throw new Error(`fake socket without connection: ${event}`)
    for (const socket of openSockets) socket.receive(`42${JSON.stringify([event, dados])}`)
  },
  connectionCount: (): number => openSockets.size,
  /** Cuts all connections and refuses new ones until restored. */
  drop: (): void => {
    accepts = false
    for (const socket of openSockets) socket.close()
  },
  restore: (): void => {
    accepts = true
    refusal = null
  },
  /** Cuts all connections. New ones are refused with a temporary server error until restored. */
  refuseForNow: (): void => {
    refusal = refuse('bancoIndisponivel', 'O servidor está temporariamente indisponível.')
    for (const socket of openSockets) socket.close()
  },
  /** Closes all connections as the server does when rights change. The token is refused afterwards. */
  endSession: (): void => {
    refusal = refuse('semSessao', 'Sua sessão terminou.')
    for (const socket of openSockets) socket.receive('41')
  },
}
