import { useSyncExternalStore } from 'react'

/** Unsent text per conversa, kept in sessionStorage across conversas and reloads. */

const draftKey = (conversaId: string): string => `rascunho:${conversaId}`
const listeners = new Set<() => void>()

export function readDraft(conversaId: string): string {
  return sessionStorage.getItem(draftKey(conversaId)) ?? ''
}

export function writeDraft(conversaId: string, text: string): void {
  if (text === '') sessionStorage.removeItem(draftKey(conversaId))
  else sessionStorage.setItem(draftKey(conversaId), text)
  for (const ouvinte of listeners) ouvinte()
}

/** Puts an unsent text back, before anything typed meanwhile. */
export function returnToDraft(conversaId: string, text: string): void {
  const atual = readDraft(conversaId)
  writeDraft(conversaId, atual.trim() === '' ? text : `${text}\n${atual}`)
}

export function useDraft(conversaId: string): string {
  return useSyncExternalStore(
    (ouvinte) => {
      listeners.add(ouvinte)
      return () => void listeners.delete(ouvinte)
    },
    () => readDraft(conversaId),
  )
}
