import type { EventoServidor } from '@balcao/contract/realtime'
import { useSyncExternalStore } from 'react'
import { ocioso } from './ocioso.ts'

/**
 * The page's only realtime connection. Screens read parsed events and the state. The Socket.IO client loads after
 * the first paint, in its own chunk.
 */

export type EstadoSocket =
  | { readonly tipo: 'desligado' }
  | { readonly tipo: 'conectando' }
  | { readonly tipo: 'online' }
  | { readonly tipo: 'offline'; readonly desde: number }

type Ouvinte = (evento: EventoServidor) => void

export interface SocketHost {
  readonly onEstado: (estado: EstadoSocket) => void
  readonly onEvento: Ouvinte
}

let estado: EstadoSocket = { tipo: 'desligado' }
let fechar = (): void => undefined
const eventos = new Set<Ouvinte>()
const estados = new Set<() => void>()

function setEstado(novo: EstadoSocket): void {
  // Keeps the first offline instant.
  if (novo.tipo === 'offline' && estado.tipo === 'offline') return
  estado = novo
  for (const ouvinte of estados) ouvinte()
}

const host: SocketHost = {
  onEstado: setEstado,
  onEvento: (evento) => {
    for (const ouvinte of eventos) ouvinte(evento)
  },
}

export function connectSocket(token: string): void {
  disconnectSocket()
  setEstado({ tipo: 'conectando' })
  let desistiu = false
  fechar = () => void (desistiu = true)
  // The screen's own requests go first. Changes until then are refetched after the connection.
  ocioso()
    .then(() => import('./socket-connection.ts'))
    .then(
      ({ openSocket }) => {
        if (!desistiu) fechar = openSocket(token, host)
      },
      () => {
        if (!desistiu) setEstado({ tipo: 'offline', desde: Date.now() })
      },
    )
}

export function disconnectSocket(): void {
  fechar()
  fechar = () => undefined
  setEstado({ tipo: 'desligado' })
}

/** Subscribes to the account's parsed events. Returns the unsubscribe function. */
export function onEvento(ouvinte: Ouvinte): () => void {
  eventos.add(ouvinte)
  return () => void eventos.delete(ouvinte)
}

export function onEstadoSocket(ouvinte: () => void): () => void {
  estados.add(ouvinte)
  return () => void estados.delete(ouvinte)
}

export const estadoDoSocket = (): EstadoSocket => estado

export function useEstadoSocket(): EstadoSocket {
  return useSyncExternalStore(onEstadoSocket, estadoDoSocket)
}
