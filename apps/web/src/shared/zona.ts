/** Time zone of all hours and days in the panel: the account's, or São Paulo until it is known. */

export const ZONA_PADRAO = 'America/Sao_Paulo'
/** The prefix `copia:` makes logout clear it. */
const CHAVE = 'copia:zona'

const ouvintes = new Set<() => void>()
let zona = localStorage.getItem(CHAVE) ?? ZONA_PADRAO

export const zonaDaConta = (): string => zona

export function usarZona(fuso: string): void {
  if (fuso === zona) return
  zona = fuso
  localStorage.setItem(CHAVE, fuso)
  for (const ouvinte of ouvintes) ouvinte()
}

export function ouvirZona(ouvinte: () => void): () => void {
  ouvintes.add(ouvinte)
  return () => void ouvintes.delete(ouvinte)
}
