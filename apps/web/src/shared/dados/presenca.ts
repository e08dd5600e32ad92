import type { EventosServidor } from '@balcao/contract/realtime'
import { useSyncExternalStore } from 'react'
import { estadoDoSocket, onEstadoSocket } from '#shared/socket.ts'

/**
 * Ids of the operadores online now. The server sends them when the connection opens and on each change. Empty while
 * offline.
 */
let presentes: ReadonlySet<string> = new Set()
const ouvintes = new Set<() => void>()

function mudar(novos: ReadonlySet<string>): void {
  presentes = novos
  for (const ouvinte of ouvintes) ouvinte()
}

onEstadoSocket(() => {
  if (estadoDoSocket().tipo !== 'online' && presentes.size > 0) mudar(new Set())
})

export function registrarPresenca({ operadorId, status }: EventosServidor['operadorStatusChange']): void {
  const novos = new Set(presentes)
  if (status === 'online') novos.add(operadorId)
  else novos.delete(operadorId)
  mudar(novos)
}

const assinar = (ouvinte: () => void): (() => void) => {
  ouvintes.add(ouvinte)
  return () => void ouvintes.delete(ouvinte)
}

export function usePresentes(): ReadonlySet<string> {
  return useSyncExternalStore(assinar, () => presentes)
}
