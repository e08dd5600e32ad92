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

function parseReadPosition(guardado: string): ReadPosition | null {
  const [ate = '', lidas = '0'] = guardado.split(' ')
  return ate === '' ? null : { until: ate, readCount: Number(lidas) }
}

function storeRead(conversaId: string, visto: string): void {
  if (visto === readStored(conversaId)) return
  if (visto === '') sessionStorage.removeItem(readKey(conversaId))
  else sessionStorage.setItem(readKey(conversaId), visto)
  for (const ouvinte of listeners) ouvinte()
}

export function markRead({ id, ultimaMensagem, naoLidas }: Conversa): void {
  if (ultimaMensagem !== undefined) storeRead(id, `${ultimaMensagem.timestamp} ${naoLidas}`)
}

/** Keeps the conversa unread until it is opened again. */
export function markUnread(conversaId: string): void {
  storeRead(conversaId, MARKED_UNREAD)
}

/** An operador replied: the server's count starts again. */
export function clearRead(conversaId: string): void {
  storeRead(conversaId, '')
}

/** Unread mensagens in this browser, never more than the server's count. */
function countUnread({ naoLidas, ultimaMensagem }: Conversa, guardado: string): number {
  if (guardado === MARKED_UNREAD) return naoLidas
  const visto = parseReadPosition(guardado)
  if (naoLidas === 0 || visto === null) return naoLidas
  if (ultimaMensagem === undefined || ultimaMensagem.timestamp <= visto.until) return 0
  return naoLidas > visto.readCount ? naoLidas - visto.readCount : naoLidas
}

export function useUnreadCount(conversa: Conversa): number {
  const visto = useSyncExternalStore(
    (ouvinte) => {
      listeners.add(ouvinte)
      return () => void listeners.delete(ouvinte)
    },
    () => readStored(conversa.id),
  )
  const quantas = countUnread(conversa, visto)
  return visto === MARKED_UNREAD ? Math.max(1, quantas) : quantas
}

export function currentUnreadCount(conversa: Conversa): number {
  return countUnread(conversa, readStored(conversa.id))
}
