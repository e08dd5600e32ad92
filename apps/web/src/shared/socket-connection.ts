import { RECONEXAO, TIMEOUT_SOCKET_MS } from '@balcao/contract/constants'
import { NOMES_EVENTOS, parseEvento } from '@balcao/contract/realtime'
import { euRoute } from '@balcao/contract/routes/auth'
import { io } from 'socket.io-client'
import { call } from './api-client.ts'
import type { SocketHost } from './socket.ts'

/** Connects with a token, tells the host its state and every event it could read, and comes back by itself. Gives the way to close it. */
export function openSocket(token: string, host: SocketHost): () => void {
  const socket = io({
    auth: { token },
    transports: ['websocket', 'polling'],
    timeout: TIMEOUT_SOCKET_MS,
    reconnectionDelay: RECONEXAO.minimoMs,
    reconnectionDelayMax: RECONEXAO.maximoMs,
    randomizationFactor: RECONEXAO.jitter,
  })
  let volta: ReturnType<typeof setTimeout> | undefined
  /** The library comes back by itself from a network that is not there, but not once the server itself said no. */
  const voltarEm = (ms: number): void => {
    clearTimeout(volta)
    volta = setTimeout(() => socket.connect(), ms)
  }
  const offline = (): void => host.onEstado({ tipo: 'offline', desde: Date.now() })
  socket.on('connect', () => host.onEstado({ tipo: 'online' }))
  socket.on('connect_error', (erro) => {
    offline()
    // A session that ended while the page was open: the server says so once more, and the page leaves for the login.
    if (isSemSessao(erro)) call(euRoute, {}).catch(() => undefined)
    // Its database is away, or this person has too many windows: a moment later it may say yes.
    else if (!socket.active) voltarEm(RECONEXAO.minimoMs + Math.random() * (RECONEXAO.maximoMs - RECONEXAO.minimoMs))
  })
  socket.on('disconnect', (motivo) => {
    offline()
    // The server closes sockets when rights change: a valid session comes straight back with its new ones.
    if (motivo === 'io server disconnect') voltarEm(RECONEXAO.minimoMs)
  })
  for (const nome of NOMES_EVENTOS) {
    socket.on(nome, (dados: unknown) => {
      const evento = parseEvento(nome, dados)
      if (evento !== null) host.onEvento(evento)
    })
  }
  return () => {
    clearTimeout(volta)
    socket.removeAllListeners()
    socket.disconnect()
  }
}

/** The refusal of a token, as against a network that is not there. */
function isSemSessao(erro: Error): boolean {
  if (!('data' in erro) || typeof erro.data !== 'object' || erro.data === null) return false
  return 'codigo' in erro.data && erro.data.codigo === 'semSessao'
}
