import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useSyncExternalStore } from 'react'

/** Unsent text and quoted mensagem per conversa. The text is in sessionStorage, so it also survives a reload. */

export interface Draft {
  readonly texto: string
  readonly citada: Mensagem | null
}

const draftKey = (conversaId: string): string => `rascunho:${conversaId}`
const quotes = new Map<string, Mensagem>()
const listeners = new Set<() => void>()
addEventListener('saiu', () => quotes.clear())

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function readDraft(conversaId: string): string {
  return sessionStorage.getItem(draftKey(conversaId)) ?? ''
}

export function writeDraft(conversaId: string, text: string): void {
  if (text === '') sessionStorage.removeItem(draftKey(conversaId))
  else sessionStorage.setItem(draftKey(conversaId), text)
  notifyListeners()
}

export function setQuoted(conversaId: string, mensagem: Mensagem | null): void {
  if (mensagem === null) quotes.delete(conversaId)
  else quotes.set(conversaId, mensagem)
  notifyListeners()
}

/** Puts an unsent text and its quote back, the text before anything typed meanwhile. */
export function restoreDraft(conversaId: string, { texto, citada }: Draft): void {
  const current = readDraft(conversaId)
  writeDraft(conversaId, current.trim() === '' ? texto : `${texto}\n${current}`)
  setQuoted(conversaId, citada)
}

export function useDraft(conversaId: string): string {
  return useSyncExternalStore(subscribe, () => readDraft(conversaId))
}

export function useQuoted(conversaId: string): Mensagem | null {
  return useSyncExternalStore(subscribe, () => quotes.get(conversaId) ?? null)
}
