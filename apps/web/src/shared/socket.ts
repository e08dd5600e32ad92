import { RECONEXAO, TIMEOUT_SOCKET_MS } from '@balcao/contract/constants'
import { type EventoServidor, NOMES_EVENTOS, parseEvento } from '@balcao/contract/realtime'
import { useSyncExternalStore } from 'react'
import { io, type Socket } from 'socket.io-client'

/** The one realtime connection of the page. Screens never touch it: they listen to parsed events and to its state. */

export type EstadoSocket =
  | { readonly tipo: 'desligado' }
  | { readonly tipo: 'conectando' }
  | { readonly tipo: 'online' }
  /** Lost, and trying again. */
  | { readonly tipo: 'offline'; readonly desde: number }

type Ouvinte = (evento: EventoServidor) => void

let socket: Socket | null = null
let estado: EstadoSocket = { tipo: 'desligado' }
const eventos = new Set<Ouvinte>()
const estados = new Set<() => void>()

function setEstado(novo: EstadoSocket): void {
  if (novo.tipo === 'offline' && estado.tipo === 'offline') return
  estado = novo
  for (const ouvinte of estados) ouvinte()
}

/** Opens the connection with a token. Opening again first closes what was open. */
export function connectSocket(token: string): void {
  disconnectSocket()
  setEstado({ tipo: 'conectando' })
  const novo = io({
    auth: { token },
    transports: ['websocket', 'polling'],
    timeout: TIMEOUT_SOCKET_MS,
    reconnectionDelay: RECONEXAO.minimoMs,
    reconnectionDelayMax: RECONEXAO.maximoMs,
    randomizationFactor: RECONEXAO.jitter,
  })
  socket = novo
  novo.on('connect', () => setEstado({ tipo: 'online' }))
  novo.on('connect_error', () => setEstado({ tipo: 'offline', desde: Date.now() }))
  novo.on('disconnect', (motivo) => {
    setEstado({ tipo: 'offline', desde: Date.now() })
    // The server closes sockets when rights change: a valid session comes straight back with its new ones.
    if (motivo === 'io server disconnect') setTimeout(() => novo === socket && novo.connect(), RECONEXAO.minimoMs)
  })
  for (const nome of NOMES_EVENTOS) {
    novo.on(nome, (dados: unknown) => {
      const evento = parseEvento(nome, dados)
      if (evento !== null) for (const ouvinte of eventos) ouvinte(evento)
    })
  }
}

export function disconnectSocket(): void {
  socket?.removeAllListeners()
  socket?.disconnect()
  socket = null
  setEstado({ tipo: 'desligado' })
}

/** Hears every event of the account, parsed. Gives the function that stops it. */
export function onEvento(ouvinte: Ouvinte): () => void {
  eventos.add(ouvinte)
  return () => void eventos.delete(ouvinte)
}

export function useEstadoSocket(): EstadoSocket {
  return useSyncExternalStore(
    (ouvinte) => {
      estados.add(ouvinte)
      return () => void estados.delete(ouvinte)
    },
    () => estado,
  )
}
