import { CONECTORES } from '@balcao/contract/constants'
import { CONNECTORS, type ConectorTipo } from '@balcao/contract/connectors'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import type { ConfigInput } from '@balcao/contract/entities/config-input'

export interface GeralForm {
  clientId: string
  conector: ConectorTipo
  chromePath: string
  respostaLigacao: string
  apiKey: string
}

export const CONECTOR_OPTIONS = CONECTORES.map((valor) => ({ valor, rotulo: CONNECTORS[valor].label }))

export function geralFormOf({ whatsapp, gemini }: VersionedConfig): GeralForm {
  const { clientId, conector, chromePath, respostaLigacao } = whatsapp
  return { clientId, conector, chromePath, respostaLigacao, apiKey: gemini.apiKey }
}

/**
 * Full configuration to save. `base` keeps its `versao`, so the server rejects outdated saves.
 * `gemini.apiKey` and `ia.apiKey` always hold the same key.
 */
export function buildConfig(base: VersionedConfig, form: GeralForm): ConfigInput {
  const { clientId, conector, chromePath, respostaLigacao } = form
  const apiKey = form.apiKey.trim()
  return {
    ...base,
    whatsapp: { clientId: clientId.trim(), conector, chromePath: chromePath.trim(), respostaLigacao },
    gemini: { apiKey },
    ia: { ...base.ia, apiKey },
  }
}

const CLIENT_ID = /^[\w-]{1,60}$/

export function clientIdError(clientId: string): string | undefined {
  const value = clientId.trim()
  if (value === '') return 'Client ID é obrigatório'
  return CLIENT_ID.test(value) ? undefined : 'Use até 60 letras, números, _ ou -, sem espaços nem acentos'
}

/** An untouched key is sent masked. A masked key with edits is invalid. */
export function apiKeyError(apiKey: string, stored: string): string | undefined {
  return apiKey === stored || !apiKey.includes('•') ? undefined : 'Apague o campo e digite a chave inteira'
}
