import type { ServerEvent } from '@balcao/contract/realtime'
import { useSyncExternalStore } from 'react'
import { whenIdle } from '#shared/when-idle.ts'
import type { SocketHost, SocketState } from './socket-connection.ts'

/**
 * The page's only realtime connection. Screens read parsed events and the state. The Socket.IO client loads after
 * the first paint, in its own chunk.
 */

type SocketEventListener = (event: ServerEvent) => void

let state: SocketState = { tipo: 'desligado' }
let closeConnection = (): void => undefined
const eventListeners = new Set<SocketEventListener>()
const stateListeners = new Set<() => void>()

function setSocketState(next: SocketState): void {
  // Keeps the first offline instant.
  if (next.tipo === 'offline' && state.tipo === 'offline') return
  state = next
  for (const ouvinte of stateListeners) ouvinte()
}

const host: SocketHost = {
  onState: setSocketState,
  onEvent: (event) => {
    for (const ouvinte of eventListeners) ouvinte(event)
  },
}

export function connectSocket(token: string): void {
  disconnectSocket()
  setSocketState({ tipo: 'conectando' })
  let desistiu = false
  closeConnection = () => void (desistiu = true)
  // The screen's own requests go first. Changes until then are refetched after the connection.
  whenIdle()
    .then(() => import('./socket-connection.ts'))
    .then(
      ({ openSocketConnection }) => {
        if (!desistiu) closeConnection = openSocketConnection(token, host)
      },
      () => {
        if (!desistiu) setSocketState({ tipo: 'offline', desde: Date.now() })
      },
    )
}

export function disconnectSocket(): void {
  closeConnection()
  closeConnection = () => undefined
  setSocketState({ tipo: 'desligado' })
}

export function onSocketEvent(listener: SocketEventListener): () => void {
  eventListeners.add(listener)
  return () => void eventListeners.delete(listener)
}

export function onSocketState(listener: () => void): () => void {
  stateListeners.add(listener)
  return () => void stateListeners.delete(listener)
}

export const socketState = (): SocketState => state

export function useSocketState(): SocketState {
  return useSyncExternalStore(onSocketState, socketState)
}
