import { MODELO_ATUAL, modeloVigente } from '@balcao/contract/modelos'
import type { AiRequest } from '#ports/ai.ts'
import type { Conversa } from './conversar.ts'
import { falhaEm } from './falhas.ts'

const DESCONHECIDO_MS = 3_600_000
const LEMBRADOS = 5_000
/** The id becomes part of a URL at the provider. */
const ID_DE_MODELO = /^[a-zA-Z0-9][\w.-]{0,99}$/

export type Perguntar = (modelo: string) => Promise<Conversa>

/**
 * Asks the chosen model. A model that the provider does not know is replaced by the current one, and the owner gets
 * one notice.
 */
export type ComReserva = (request: AiRequest, perguntar: Perguntar) => Promise<Conversa>

export function createReserva(agora: () => number): ComReserva {
  const desconhecidos = new Map<string, number>()

  const lembrar = (chave: string): void => {
    const [antigo] = desconhecidos.size < LEMBRADOS ? [] : desconhecidos.keys()
    if (antigo !== undefined) desconhecidos.delete(antigo)
    desconhecidos.set(chave, agora() + DESCONHECIDO_MS)
  }

  return async ({ contaId, modelo: escolhido }, perguntar) => {
    const chave = `${contaId}|${escolhido}`
    const modelo = modeloVigente(escolhido)
    const sabido = (desconhecidos.get(chave) ?? -Infinity) > agora()
    try {
      if (!sabido && ID_DE_MODELO.test(modelo)) return await perguntar(modelo)
    } catch (error) {
      if (falhaEm(error)?.motivo !== 'modelo' || modelo === MODELO_ATUAL) throw error
    }
    const conversa = await perguntar(MODELO_ATUAL)
    // Stored only after success: a failure carries no notice, so the owner would never get it.
    if (!sabido) lembrar(chave)
    return sabido ? conversa : { ...conversa, resposta: { ...conversa.resposta, avisos: [avisoDe(escolhido)] } }
  }
}

function avisoDe(modelo: string): string {
  return `O Gemini não conhece o modelo "${modelo}". A IA respondeu com ${MODELO_ATUAL}; escolha outro modelo na aba IA.`
}
