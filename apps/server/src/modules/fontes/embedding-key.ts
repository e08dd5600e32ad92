import type { Config } from '@balcao/contract/entities/config'

/** The key of Gemini while the account uses Gemini. Empty: the sources go to no provider. */
export function embeddingKeyOf({ ia, gemini }: Pick<Config, 'ia' | 'gemini'>): string {
  return ia.provedor === 'gemini' ? gemini.apiKey : ''
}
