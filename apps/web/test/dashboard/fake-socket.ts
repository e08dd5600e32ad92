import type { NomeEvento } from '@balcao/contract/realtime'

/**
 * Fake server end of the socket: Engine.IO 4 and Socket.IO 5 over a fake WebSocket. Import it before the client,
 * which reads the constructor when it loads.
 */

const abertos = new Set<SocketDeMentira>()
let aceita = true
let recusa: string | null = null
const Real = globalThis.WebSocket

const recusar = (codigo: string, message: string): string => `44${JSON.stringify({ message, data: { codigo } })}`

class SocketDeMentira extends EventTarget {
  readonly url: string
  binaryType = 'blob'
  readyState: number = Real.CONNECTING
  onopen: (() => void) | null = null
  onclose: ((evento: { reason: string }) => void) | null = null
  onmessage: ((evento: { data: string }) => void) | null = null
  onerror: ((evento: unknown) => void) | null = null

  constructor(url: string) {
    super()
    this.url = url
    setTimeout(() => (aceita ? this.abrir() : this.falhar()))
  }

  private abrir(): void {
    this.readyState = Real.OPEN
    abertos.add(this)
    this.onopen?.()
    this.receber(
      `0${JSON.stringify({ sid: 'e', upgrades: [], pingInterval: 60_000, pingTimeout: 60_000, maxPayload: 1e6 })}`,
    )
  }

  private falhar(): void {
    this.readyState = Real.CLOSED
    this.onerror?.(new Error('refused'))
    this.onclose?.({ reason: 'refused' })
  }

  receber(data: string): void {
    this.onmessage?.({ data })
  }

  send(data: string): void {
    if (data.startsWith('40')) setTimeout(() => this.receber(recusa ?? '40{"sid":"s"}'))
  }

  close(): void {
    if (this.readyState === Real.CLOSED) return
    this.readyState = Real.CLOSED
    abertos.delete(this)
    this.onclose?.({ reason: 'closed' })
  }
}

globalThis.WebSocket = new Proxy(Real, {
  construct(alvo, [url, protocolos]: [string | URL, (string | string[])?]) {
    return String(url).includes('/socket.io')
      ? new SocketDeMentira(String(url))
      : Reflect.construct(alvo, [url, protocolos])
  },
})

export const socketDeMentira = {
  /** Sends an event to all open connections. Throws without one, because the event would be lost. */
  emitir: (evento: NomeEvento, dados: object): void => {
    if (abertos.size === 0) throw new Error(`fake socket without connection: ${evento}`)
    for (const socket of abertos) socket.receber(`42${JSON.stringify([evento, dados])}`)
  },
  conectados: (): number => abertos.size,
  /** Cuts all connections and refuses new ones until restored. */
  cair: (): void => {
    aceita = false
    for (const socket of abertos) socket.close()
  },
  voltar: (): void => {
    aceita = true
    recusa = null
  },
  /** Cuts all connections. New ones are refused with a temporary server error until restored. */
  adiar: (): void => {
    recusa = recusar('bancoIndisponivel', 'O servidor está temporariamente indisponível.')
    for (const socket of abertos) socket.close()
  },
  /** Closes all connections as the server does when rights change. The token is refused afterwards. */
  encerrarSessao: (): void => {
    recusa = recusar('semSessao', 'Sua sessão terminou.')
    for (const socket of abertos) socket.receber('41')
  },
}
