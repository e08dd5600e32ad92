import { RECONEXAO, TIMEOUT_SOCKET_MS } from '@balcao/contract/constants'
import { type ServerEvent, SERVER_EVENT_NAMES, parseServerEvent } from '@balcao/contract/realtime'
import { euRoute } from '@balcao/contract/routes/auth'
import { io } from 'socket.io-client'
import { call } from '#shared/api-client.ts'

export type SocketState =
  | { readonly tipo: 'desligado' }
  | { readonly tipo: 'conectando' }
  | { readonly tipo: 'online' }
  | { readonly tipo: 'offline'; readonly desde: number }

export interface SocketHost {
  readonly onState: (state: SocketState) => void
  readonly onEvent: (event: ServerEvent) => void
}

/**
 * Connects with a token, passes state and parsed events to the host, and reconnects automatically. Returns a
 * function that closes the connection.
 */
export function openSocketConnection(token: string, host: SocketHost): () => void {
  const socket = io({
    auth: { token },
    transports: ['websocket', 'polling'],
    timeout: TIMEOUT_SOCKET_MS,
    reconnectionDelay: RECONEXAO.minimoMs,
    reconnectionDelayMax: RECONEXAO.maximoMs,
    randomizationFactor: RECONEXAO.jitter,
  })
  let volta: ReturnType<typeof setTimeout> | undefined
  /** The library retries after a network failure, but not after a refusal or disconnect by the server. */
  const voltarEm = (ms: number): void => {
    clearTimeout(volta)
    volta = setTimeout(() => socket.connect(), ms)
  }
  const offline = (): void => host.onState({ tipo: 'offline', desde: Date.now() })
  socket.on('connect', () => host.onState({ tipo: 'online' }))
  socket.on('connect_error', (erro) => {
    offline()
    // The server refused the token. This call receives the 401 that ends the session and opens the login.
    if (isTokenRefusal(erro)) call(euRoute, {}).catch(() => undefined)
    // The server refused for another reason (database down, too many windows), so try again.
    else if (!socket.active) voltarEm(RECONEXAO.minimoMs + Math.random() * (RECONEXAO.maximoMs - RECONEXAO.minimoMs))
  })
  socket.on('disconnect', (motivo) => {
    offline()
    // The server closes sockets when rights change. A valid session reconnects with the new rights.
    if (motivo === 'io server disconnect') voltarEm(RECONEXAO.minimoMs)
  })
  for (const name of SERVER_EVENT_NAMES) {
    socket.on(name, (dados: unknown) => {
      const event = parseServerEvent(name, dados)
      if (event !== null) host.onEvent(event)
    })
  }
  return () => {
    clearTimeout(volta)
    socket.removeAllListeners()
    socket.disconnect()
  }
}

/** True if the server refused the token, false for a network failure. */
function isTokenRefusal(error: Error): boolean {
  if (!('data' in error) || typeof error.data !== 'object' || error.data === null) return false
  return 'codigo' in error.data && error.data.codigo === 'semSessao'
}
