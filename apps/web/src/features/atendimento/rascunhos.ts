import { useSyncExternalStore } from 'react'

/** What was being written to each customer: it survives going to another conversation, and the page itself. */

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

/** Gives a text back that could not be sent; what was typed meanwhile stays after it. */
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
