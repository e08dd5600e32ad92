import type { IaConfig } from '@balcao/contract/entities/config'
import { FATOS_PROVEDOR, type ProvedorIa } from '@balcao/contract/presets/provedores-ia'

/** Key of the chosen provider. */
export function keyOf({ provedor, apiKey, chaves }: IaConfig): string {
  return provedor === 'gemini' ? apiKey : chaves[provedor]
}

export function withKey(key: string): (ia: IaConfig) => Partial<IaConfig> {
  return ({ provedor, chaves }) =>
    provedor === 'gemini' ? { apiKey: key } : { chaves: { ...chaves, [provedor]: key } }
}

/** Name of the field of the key, as in errors of the server. */
export function keyFieldOf({ provedor }: IaConfig): string {
  return provedor === 'gemini' ? 'apiKey' : `chaves.${provedor}`
}

/** False without a key. A compatible host needs an address instead. */
export function canAsk(ia: IaConfig): boolean {
  return (ia.provedor === 'compativel' ? ia.urlBase : keyOf(ia)).trim() !== ''
}

export function withTrimmedKeys(ia: IaConfig): IaConfig {
  const { openai, anthropic, compativel } = ia.chaves
  return {
    ...ia,
    apiKey: ia.apiKey.trim(),
    chaves: { openai: openai.trim(), anthropic: anthropic.trim(), compativel: compativel.trim() },
  }
}

/** The model of another provider would be unknown. The stored model returns with its provider. */
export function withProvider(provedor: ProvedorIa, stored: IaConfig): Partial<IaConfig> {
  const { modeloPadrao } = FATOS_PROVEDOR[provedor]
  return { provedor, modeloGemini: provedor === stored.provedor ? stored.modeloGemini : modeloPadrao }
}

/** The provider's name behind an article, as in "do Gemini" and "da OpenAI". */
export function ofProvider(provedor: ProvedorIa): string {
  const { nome, artigo } = FATOS_PROVEDOR[provedor]
  return `d${artigo} ${nome}`
}
