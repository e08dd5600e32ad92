import type { Config } from '@balcao/contract/entities/config'
import { chavesOf, type ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import { resolveSentKey } from '#modules/configuracao/index.ts'
import type { AiAccess } from '#ports/ai.ts'

export interface SentAccess {
  readonly provedor?: ProvedorIa | undefined
  readonly urlBase?: string | undefined
  readonly apiKey?: string | undefined
}

/**
 * The provider, address and key that a request means. A masked key stands for the stored one, which is never sent to
 * another compatible host.
 */
export function accessOf(config: Config, { provedor = 'gemini', urlBase, apiKey }: SentAccess): AiAccess {
  const stored = chavesOf(config)[provedor]
  if (provedor !== 'compativel') return { provedor, urlBase: '', apiKey: resolveSentKey(stored, apiKey) }
  const address = urlBase ?? config.ia.urlBase
  const isStoredHost = URL.parse(address)?.origin === URL.parse(config.ia.urlBase)?.origin
  return { provedor, urlBase: address, apiKey: resolveSentKey(isStoredHost ? stored : '', apiKey) }
}

/** False without a key or, for a compatible host, without an address. */
export function canBeAsked({ provedor, urlBase, apiKey }: AiAccess): boolean {
  return provedor === 'compativel' ? urlBase !== '' : apiKey !== ''
}

export function missingText({ provedor }: AiAccess): string {
  return provedor === 'compativel' ? 'Informe o endereço do provedor' : 'Nenhuma API Key foi salva ainda'
}
