import { createHash } from 'node:crypto'
import type { Setor } from '@balcao/contract/entities/config'
import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import type { ErrorDetail } from '@balcao/contract/errors'

export const OPERADORES_MAX = 50

/** Returns the setores without duplicates, in order, and an error detail for each unknown one. */
export function checkSetores(
  requested: readonly string[],
  existing: readonly Setor[],
): { readonly setores: readonly string[]; readonly desconhecidos: readonly ErrorDetail[] } {
  const ids = new Set(existing.map(({ id }) => id))
  return {
    setores: [...new Set(requested)],
    desconhecidos: requested.flatMap((id, index) =>
      ids.has(id) ? [] : [{ caminho: `setores.${index}`, mensagem: 'Este setor não existe.' }],
    ),
  }
}

export function duplicateShortcuts(respostas: readonly { readonly atalho: string }[]): ErrorDetail[] {
  const seen = new Set<string>()
  const missing: ErrorDetail[] = []
  for (const [index, { atalho }] of respostas.entries()) {
    if (seen.has(atalho)) {
      missing.push({ caminho: `respostas.${index}.atalho`, mensagem: `O atalho /${atalho} já está em uso` })
    }
    seen.add(atalho)
  }
  return missing
}

/** Hash of the list including its order. */
export function respostasVersion(respostas: readonly RespostaRapida[]): string {
  const said = respostas.map(({ atalho, texto }) => [atalho, texto])
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url')
}
