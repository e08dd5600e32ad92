import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { useSyncExternalStore } from 'react'
import { socketState, onSocketState } from '#shared/realtime/socket.ts'

/**
 * Ids of the operadores online now. The server sends them when the connection opens and on each change. Empty while
 * offline.
 */
let onlineIds: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function setOnlineIds(ids: ReadonlySet<string>): void {
  onlineIds = ids
  for (const ouvinte of listeners) ouvinte()
}

onSocketState(() => {
  if (socketState().tipo !== 'online' && onlineIds.size > 0) setOnlineIds(new Set())
})

export function recordPresence({ operadorId, status }: ServerEventPayloads['operadorStatusChange']): void {
  const fresh = new Set(onlineIds)
  if (status === 'online') fresh.add(operadorId)
  else fresh.delete(operadorId)
  setOnlineIds(fresh)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useOnlineOperadores(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => onlineIds)
}
