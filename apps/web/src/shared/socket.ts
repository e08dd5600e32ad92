import type { EventoServidor } from '@balcao/contract/realtime'
import { useSyncExternalStore } from 'react'
import { ocioso } from './ocioso.ts'

/**
 * The one realtime connection of the page. Screens never touch it: they listen to parsed events and to its state. The library that
 * speaks to the server comes after the first paint, in a chunk of its own.
 */

export type EstadoSocket =
  | { readonly tipo: 'desligado' }
  | { readonly tipo: 'conectando' }
  | { readonly tipo: 'online' }
  /** Lost, and trying again. */
  | { readonly tipo: 'offline'; readonly desde: number }

type Ouvinte = (evento: EventoServidor) => void

/** What the connection tells this store. */
export interface SocketHost {
  readonly onEstado: (estado: EstadoSocket) => void
  readonly onEvento: Ouvinte
}

let estado: EstadoSocket = { tipo: 'desligado' }
let fechar = (): void => undefined
const eventos = new Set<Ouvinte>()
const estados = new Set<() => void>()

function setEstado(novo: EstadoSocket): void {
  // The first moment offline is the one that counts.
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

/** Opens the connection with a token. Opening again first closes what was open. */
export function connectSocket(token: string): void {
  disconnectSocket()
  setEstado({ tipo: 'conectando' })
  let desistiu = false
  fechar = () => void (desistiu = true)
  // What the screen asked for comes first; once connected, whatever changed meanwhile is asked for again.
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

/** Hears every event of the account, parsed. Gives the function that stops it. */
export function onEvento(ouvinte: Ouvinte): () => void {
  eventos.add(ouvinte)
  return () => void eventos.delete(ouvinte)
}

/** Hears that the connection's state changed; `estadoDoSocket` tells to what. Gives the function that stops it. */
export function onEstadoSocket(ouvinte: () => void): () => void {
  estados.add(ouvinte)
  return () => void estados.delete(ouvinte)
}

export const estadoDoSocket = (): EstadoSocket => estado

export function useEstadoSocket(): EstadoSocket {
  return useSyncExternalStore(onEstadoSocket, estadoDoSocket)
}
