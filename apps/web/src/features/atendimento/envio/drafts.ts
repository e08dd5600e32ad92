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
  for (const listener of listeners) listener()
}

/** Puts an unsent text back, before anything typed meanwhile. */
export function returnToDraft(conversaId: string, text: string): void {
  const current = readDraft(conversaId)
  writeDraft(conversaId, current.trim() === '' ? text : `${text}\n${current}`)
}

export function useDraft(conversaId: string): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => readDraft(conversaId),
  )
}
