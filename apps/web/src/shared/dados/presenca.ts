import type { EventosServidor } from '@balcao/contract/realtime'
import { useSyncExternalStore } from 'react'
import { estadoDoSocket, onEstadoSocket } from '#shared/socket.ts'

/**
 * Who is in the panel now, by id. The server tells who is there as the connection opens, and every change from then on;
 * without a connection nobody's presence is known.
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
