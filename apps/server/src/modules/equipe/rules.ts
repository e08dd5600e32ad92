import { createHash } from 'node:crypto'
import { type ConversaReader, mayReadSetor } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import type { ErrorDetail } from '@balcao/contract/errors'

export const OPERADORES_MAX = 50

export function checkSetores(
  requested: readonly string[],
  existing: readonly Setor[],
  field = 'setores',
): { readonly setores: readonly string[]; readonly desconhecidos: readonly ErrorDetail[] } {
  const ids = new Set(existing.map(({ id }) => id))
  return {
    setores: [...new Set(requested)],
    desconhecidos: requested.flatMap((id, index) =>
      ids.has(id) ? [] : [{ caminho: `${field}.${index}`, mensagem: 'Este setor não existe.' }],
    ),
  }
}

export function duplicateShortcuts(
  respostas: readonly { readonly atalho: string }[],
  taken: readonly string[] = [],
): ErrorDetail[] {
  const seen = new Set(taken)
  const missing: ErrorDetail[] = []
  for (const [index, { atalho }] of respostas.entries()) {
    if (seen.has(atalho)) {
      missing.push({ caminho: `respostas.${index}.atalho`, mensagem: `O atalho /${atalho} já está em uso` })
    }
    seen.add(atalho)
  }
  return missing
}

export function respostasVersion(respostas: readonly RespostaRapida[]): string {
  const said = respostas.map(({ atalho, texto, setores }) => [atalho, texto, ...setores])
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url')
}

export function mayUseResposta(reader: Pick<ConversaReader, 'setores'>, { setores }: RespostaRapida): boolean {
  return setores.length === 0 || setores.some((setor) => mayReadSetor(reader, setor))
}

/** The list after a save by this reader: replies that the reader does not receive keep their position. */
export function withHiddenRespostas(
  stored: readonly RespostaRapida[],
  saved: readonly RespostaRapida[],
  reader: Pick<ConversaReader, 'setores'>,
): RespostaRapida[] {
  const left = [...saved]
  const merged = stored.flatMap((resposta) => (mayUseResposta(reader, resposta) ? left.splice(0, 1) : [resposta]))
  return [...merged, ...left]
}
