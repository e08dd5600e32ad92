import { CONECTORES, type ConectorTipo } from '@balcao/contract/constants'
import type { ConfigVersionada } from '@balcao/contract/entities/config'
import type { ConfigEntrada } from '@balcao/contract/entities/config-entrada'

export interface FormularioGeral {
  clientId: string
  conector: ConectorTipo
  chromePath: string
  respostaLigacao: string
  apiKey: string
}

export const ROTULO_DO_CONECTOR: Readonly<Record<ConectorTipo, string>> = {
  simulador: 'Simulador (sem celular)',
  whatsapp: 'WhatsApp',
  navegador: 'WhatsApp pelo navegador',
  oficial: 'WhatsApp Business (API oficial)',
}

export const OPCOES_DE_CONECTOR = CONECTORES.map((valor) => ({ valor, rotulo: ROTULO_DO_CONECTOR[valor] }))

export function lerFormulario({ whatsapp, gemini }: ConfigVersionada): FormularioGeral {
  const { clientId, conector, chromePath, respostaLigacao } = whatsapp
  return { clientId, conector, chromePath, respostaLigacao, apiKey: gemini.apiKey }
}

/**
 * Full configuration to save. `base` keeps its `versao`, so the server rejects outdated saves.
 * `gemini.apiKey` and `ia.apiKey` always hold the same key.
 */
export function montarConfig(base: ConfigVersionada, formulario: FormularioGeral): ConfigEntrada {
  const { clientId, conector, chromePath, respostaLigacao } = formulario
  const apiKey = formulario.apiKey.trim()
  return {
    ...base,
    whatsapp: { clientId: clientId.trim(), conector, chromePath: chromePath.trim(), respostaLigacao },
    gemini: { apiKey },
    ia: { ...base.ia, apiKey },
  }
}

const CLIENT_ID = /^[\w-]{1,60}$/

export function faltaNoClientId(clientId: string): string | undefined {
  const valor = clientId.trim()
  if (valor === '') return 'Client ID é obrigatório'
  return CLIENT_ID.test(valor) ? undefined : 'Use até 60 letras, números, _ ou -, sem espaços nem acentos'
}

/** An untouched key is sent masked. A masked key with edits is invalid. */
export function faltaNaChave(apiKey: string, guardada: string): string | undefined {
  return apiKey === guardada || !apiKey.includes('•') ? undefined : 'Apague o campo e digite a chave inteira'
}
