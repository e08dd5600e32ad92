import type { Deps } from '#deps.ts'

type Cofre = Deps['cofre']
export type Segredo = 'token' | 'segredo' | 'verificacao'

/** Seals a secret for one column of one conta. An empty value stays empty. */
export function selar(cofre: Cofre, contaId: string, qual: Segredo, valor: string): string {
  return valor === '' ? '' : cofre.seal(valor, lugarDe(contaId, qual))
}

export function abrir(cofre: Cofre, contaId: string, qual: Segredo, selado: string): string {
  return selado === '' ? '' : cofre.open(selado, lugarDe(contaId, qual))
}

export function lugarDaChegada(contaId: string, id: string): string {
  return `oficial_chegadas|valor|${contaId}|${id}`
}

function lugarDe(contaId: string, qual: Segredo): string {
  return `oficial_contas|${qual}|${contaId}|conta`
}
