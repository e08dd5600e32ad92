import { CONECTORES, type ConectorTipo } from '@balcao/contract/constants'
import type { ConfigVersionada } from '@balcao/contract/entities/config'
import type { ConfigEntrada } from '@balcao/contract/entities/config-entrada'

/** What the card "Configuração do Sistema" edits. */
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
 * The whole configuration to send: `base` is the one the form was filled from, its `versao` included, so that what
 * another window saved meanwhile is never overwritten. The AI's key is the same key (spec §7).
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

/** What is wrong with a Client ID, or undefined. */
export function faltaNoClientId(clientId: string): string | undefined {
  const valor = clientId.trim()
  if (valor === '') return 'Client ID é obrigatório'
  return CLIENT_ID.test(valor) ? undefined : 'Use até 60 letras, números, _ ou -, sem espaços nem acentos'
}

/** A stored key comes masked and goes back masked; a masked key that was typed over is neither. */
export function faltaNaChave(apiKey: string, guardada: string): string | undefined {
  return apiKey === guardada || !apiKey.includes('•') ? undefined : 'Apague o campo e digite a chave inteira'
}
