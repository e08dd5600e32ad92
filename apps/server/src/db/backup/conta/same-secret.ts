import type { Vault } from '#security/vault.ts'
import type { ContaHeader } from '../format.ts'

/** Sealing context of the value that proves the secret, in the header of one conta. */
export const secretContext = (move: string): string => `mudanca|canario|${move}`

/** Throws a Portuguese sentence if the file was made with another secret. */
export function requireSameSecret(
  vault: Pick<Vault, 'open'>,
  { conta, mudanca, canario }: Pick<ContaHeader, 'conta' | 'mudanca' | 'canario'>,
): void {
  try {
    if (vault.open(canario, secretContext(mudanca)) === conta) return
  } catch {
    // The same sentence as for another content.
  }
  throw new Error('O APP_SECRET deste servidor não é o da origem. As duas instalações precisam do mesmo.')
}
