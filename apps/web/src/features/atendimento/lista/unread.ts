import type { Conversa } from '@balcao/contract/entities/conversa'
import { useSyncExternalStore } from 'react'

/** Read positions of this browser tab. The server only stores who replied. */

interface ReadPosition {
  readonly until: string
  /** Number of the server's unread mensagens that were read here. */
  readonly readCount: number
}

const MARKED_UNREAD = '!'

const readKey = (conversaId: string): string => `visto:${conversaId}`
const listeners = new Set<() => void>()

function readStored(conversaId: string): string {
  return sessionStorage.getItem(readKey(conversaId)) ?? ''
}

function parseReadPosition(stored: string): ReadPosition | null {
  const [until = '', count = '0'] = stored.split(' ')
  return until === '' ? null : { until, readCount: Number(count) }
}

function storeRead(conversaId: string, seen: string): void {
  if (seen === readStored(conversaId)) return
  if (seen === '') sessionStorage.removeItem(readKey(conversaId))
  else sessionStorage.setItem(readKey(conversaId), seen)
  for (const listener of listeners) listener()
}

export function markRead({ id, ultimaMensagem, naoLidas }: Conversa): void {
  if (ultimaMensagem !== undefined) storeRead(id, `${ultimaMensagem.timestamp} ${naoLidas}`)
}

export function markUnread(conversaId: string): void {
  storeRead(conversaId, MARKED_UNREAD)
}

export function clearRead(conversaId: string): void {
  storeRead(conversaId, '')
}

function countUnread({ naoLidas, ultimaMensagem }: Conversa, stored: string): number {
  if (stored === MARKED_UNREAD) return naoLidas
  const seen = parseReadPosition(stored)
  if (naoLidas === 0 || seen === null) return naoLidas
  if (ultimaMensagem === undefined || ultimaMensagem.timestamp <= seen.until) return 0
  return naoLidas > seen.readCount ? naoLidas - seen.readCount : naoLidas
}

export function useUnreadCount(conversa: Conversa): number {
  const seen = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => readStored(conversa.id),
  )
  const count = countUnread(conversa, seen)
  return seen === MARKED_UNREAD ? Math.max(1, count) : count
}

export function currentUnreadCount(conversa: Conversa): number {
  return countUnread(conversa, readStored(conversa.id))
}
