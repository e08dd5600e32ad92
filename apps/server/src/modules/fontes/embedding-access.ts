import type { Config } from '@balcao/contract/entities/config'
import { chavesOf, provedorDeVetores } from '@balcao/contract/presets/provedores-ia'
import type { EmbeddingAccess } from '#ports/fontes/embeddings.ts'

/** The chosen provider of the account, if it makes vectors and has a key. Null: the sources go to no provider. */
export function embeddingAccessOf(config: Pick<Config, 'ia' | 'gemini'>): EmbeddingAccess | null {
  const provedor = provedorDeVetores(config.ia)
  if (provedor === null) return null
  const apiKey = chavesOf(config)[provedor]
  return apiKey === '' ? null : { provedor, apiKey }
}
