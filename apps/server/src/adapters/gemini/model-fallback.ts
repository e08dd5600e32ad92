import { MODELO_ATUAL, resolveModelo } from '@balcao/contract/editor-presets'
import type { AiRequest } from '#ports/ai.ts'
import type { AiExchange } from './exchange.ts'
import { findAiFailure } from './failures.ts'

const UNKNOWN_MODEL_MS = 3_600_000
const MAX_MODELS = 5_000
/** The id becomes part of a URL at the provider. */
const MODEL_ID = /^[a-zA-Z0-9][\w.-]{0,99}$/

export type AskModel = (modelo: string) => Promise<AiExchange>

/**
 * Asks the chosen model. A model that the provider does not know is replaced by the current one, and the owner gets
 * one notice.
 */
export type AskWithFallback = (request: AiRequest, perguntar: AskModel) => Promise<AiExchange>

export function createModelFallback(now: () => number): AskWithFallback {
  const unknown = new Map<string, number>()

  const remember = (key: string): void => {
    const [old] = unknown.size < MAX_MODELS ? [] : unknown.keys()
    if (old !== undefined) unknown.delete(old)
    unknown.set(key, now() + UNKNOWN_MODEL_MS)
  }

  return async ({ contaId, modelo: chosen }, perguntar) => {
    const key = `${contaId}|${chosen}`
    const modelo = resolveModelo(chosen)
    const sabido = (unknown.get(key) ?? -Infinity) > now()
    try {
      if (!sabido && MODEL_ID.test(modelo)) return await perguntar(modelo)
    } catch (error) {
      if (findAiFailure(error)?.motivo !== 'modelo' || modelo === MODELO_ATUAL) throw error
    }
    const conversa = await perguntar(MODELO_ATUAL)
    // Stored only after success: a failure carries no notice, so the owner would never get it.
    if (!sabido) remember(key)
    return sabido ? conversa : { ...conversa, resposta: { ...conversa.resposta, avisos: [fallbackNotice(chosen)] } }
  }
}

function fallbackNotice(modelo: string): string {
  return `O Gemini não conhece o modelo "${modelo}". A IA respondeu com ${MODELO_ATUAL}; escolha outro modelo na aba IA.`
}
