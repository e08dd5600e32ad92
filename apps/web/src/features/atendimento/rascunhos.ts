import { useSyncExternalStore } from 'react'

/** Unsent text per conversa, kept in sessionStorage across conversas and reloads. */

const chave = (conversaId: string): string => `rascunho:${conversaId}`
const ouvintes = new Set<() => void>()

export function lerRascunho(conversaId: string): string {
  return sessionStorage.getItem(chave(conversaId)) ?? ''
}

export function escreverRascunho(conversaId: string, texto: string): void {
  if (texto === '') sessionStorage.removeItem(chave(conversaId))
  else sessionStorage.setItem(chave(conversaId), texto)
  for (const ouvinte of ouvintes) ouvinte()
}

/** Puts an unsent text back, before anything typed meanwhile. */
export function devolverAoRascunho(conversaId: string, texto: string): void {
  const atual = lerRascunho(conversaId)
  escreverRascunho(conversaId, atual.trim() === '' ? texto : `${texto}\n${atual}`)
}

export function useRascunho(conversaId: string): string {
  return useSyncExternalStore(
    (ouvinte) => {
      ouvintes.add(ouvinte)
      return () => void ouvintes.delete(ouvinte)
    },
    () => lerRascunho(conversaId),
  )
}
