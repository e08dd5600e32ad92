/** Time zone of all hours and days in the panel: the account's, or São Paulo until it is known. */

export const DEFAULT_ZONE = 'America/Sao_Paulo'
/** The prefix `copia:` makes logout clear it. */
const STORAGE_KEY = 'copia:zona'

const listeners = new Set<() => void>()
let zone = localStorage.getItem(STORAGE_KEY) ?? DEFAULT_ZONE

export const contaZone = (): string => zone

export function setContaZone(next: string): void {
  if (next === zone) return
  zone = next
  localStorage.setItem(STORAGE_KEY, next)
  for (const ouvinte of listeners) ouvinte()
}

export function onContaZone(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
