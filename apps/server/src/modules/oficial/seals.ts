import type { Deps } from '#deps.ts'

type OficialVault = Deps['vault']
export type OficialSecret = 'token' | 'segredo' | 'verificacao'

/** Seals a secret for one column of one conta. An empty value stays empty. */
export function sealSecret(vault: OficialVault, contaId: string, which: OficialSecret, value: string): string {
  return value === '' ? '' : vault.seal(value, secretSealContext(contaId, which))
}

export function openSecret(vault: OficialVault, contaId: string, which: OficialSecret, sealed: string): string {
  return sealed === '' ? '' : vault.open(sealed, secretSealContext(contaId, which))
}

export function eventSealContext(contaId: string, id: string): string {
  return `oficial_chegadas|valor|${contaId}|${id}`
}

function secretSealContext(contaId: string, qual: OficialSecret): string {
  return `oficial_contas|${qual}|${contaId}|conta`
}
