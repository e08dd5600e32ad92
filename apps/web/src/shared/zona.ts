/** The zone in which the panel tells hours and days: the account's, and São Paulo's until that is known. */

export const ZONA_PADRAO = 'America/Sao_Paulo'
/** Goes with the session, as every copy of what is the account's. */
const CHAVE = 'copia:zona'

const ouvintes = new Set<() => void>()
let zona = localStorage.getItem(CHAVE) ?? ZONA_PADRAO

export const zonaDaConta = (): string => zona

/** From now on hours and days are told in this zone. */
export function usarZona(fuso: string): void {
  if (fuso === zona) return
  zona = fuso
  localStorage.setItem(CHAVE, fuso)
  for (const ouvinte of ouvintes) ouvinte()
}

/** Hears that the zone is another. Gives the function that stops it. */
export function ouvirZona(ouvinte: () => void): () => void {
  ouvintes.add(ouvinte)
  return () => void ouvintes.delete(ouvinte)
}
