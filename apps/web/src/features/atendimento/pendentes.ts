import { DUPLICATA_TEMPORARIA_MS } from '@balcao/contract/constants'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useSyncExternalStore } from 'react'

/** Unconfirmed bubbles live outside the query cache, so a refetch cannot drop them. */

export interface PendingMensagem {
  readonly mensagem: Mensagem
  /** Upload progress from 0 to 1. */
  readonly progress?: number
  /** Still queued, so no incoming mensagem can be its confirmation. */
  readonly queued?: true
  /** Only failed files stay here for a retry. A failed text returns to the draft. */
  readonly error?: string
}

const NO_PENDING: readonly PendingMensagem[] = []
let pendingByConversa: ReadonlyMap<string, readonly PendingMensagem[]> = new Map()
const listeners = new Set<() => void>()

function replacePending(conversaId: string, fresh: readonly PendingMensagem[]): void {
  const mapa = new Map(pendingByConversa)
  if (fresh.length === 0) mapa.delete(conversaId)
  else mapa.set(conversaId, fresh)
  pendingByConversa = mapa
  for (const listener of listeners) listener()
}

// Logout clears the pending bubbles. Requests in flight still complete.
addEventListener('saiu', () => {
  for (const conversaId of pendingByConversa.keys()) replacePending(conversaId, NO_PENDING)
})

const pendingOf = (conversaId: string): readonly PendingMensagem[] => pendingByConversa.get(conversaId) ?? NO_PENDING

export function addPending(conversaId: string, mensagem: Mensagem): void {
  replacePending(conversaId, [...pendingOf(conversaId), { mensagem: { ...mensagem, temporaria: true }, queued: true }])
}

export const isPending = (conversaId: string, id: string): boolean =>
  pendingOf(conversaId).some(({ mensagem }) => mensagem.id === id)

export function updatePending(conversaId: string, id: string, fields: Omit<PendingMensagem, 'mensagem'>): void {
  replacePending(
    conversaId,
    pendingOf(conversaId).map((um) => (um.mensagem.id === id ? { mensagem: um.mensagem, ...fields } : um)),
  )
}

/** Returns false if it was already removed, for example by the socket confirmation. */
export function removePending(conversaId: string, idTemporario: string): boolean {
  const remaining = pendingOf(conversaId).filter(({ mensagem }) => mensagem.id !== idTemporario)
  if (remaining.length === pendingOf(conversaId).length) return false
  replacePending(conversaId, remaining)
  return true
}

/** Removes the bubble that `mensagem` confirms: by id, or without id by equal text at about the same time. */
export function confirmPending(conversaId: string, mensagem: Mensagem, idTemporario: string | undefined): void {
  if (mensagem.tipo !== 'enviada') return
  const equal = ({ mensagem: { id, texto, timestamp, midia }, queued }: PendingMensagem): boolean =>
    idTemporario === undefined
      ? queued === undefined &&
        midia === undefined &&
        texto === mensagem.texto &&
        Math.abs(Date.parse(timestamp) - Date.parse(mensagem.timestamp)) <= DUPLICATA_TEMPORARIA_MS
      : id === idTemporario
  const confirmed = pendingOf(conversaId).find(equal)
  if (confirmed !== undefined) removePending(conversaId, confirmed.mensagem.id)
}

export function usePending(conversaId: string): readonly PendingMensagem[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => pendingOf(conversaId),
  )
}
