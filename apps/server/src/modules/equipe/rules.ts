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
    desconhecidos: requested.flatMap((id, indice) =>
      ids.has(id) ? [] : [{ caminho: `setores.${indice}`, mensagem: 'Este setor não existe.' }],
    ),
  }
}

export function duplicateShortcuts(respostas: readonly { readonly atalho: string }[]): ErrorDetail[] {
  const vistos = new Set<string>()
  const faltas: ErrorDetail[] = []
  for (const [indice, { atalho }] of respostas.entries()) {
    if (vistos.has(atalho)) {
      faltas.push({ caminho: `respostas.${indice}.atalho`, mensagem: `O atalho /${atalho} já está em uso` })
    }
    vistos.add(atalho)
  }
  return faltas
}

/** Hash of the list including its order. */
export function respostasVersion(respostas: readonly RespostaRapida[]): string {
  const dito = respostas.map(({ atalho, texto }) => [atalho, texto])
  return createHash('sha256').update(JSON.stringify(dito)).digest('base64url')
}
