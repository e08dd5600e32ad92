import { LRUCache } from 'lru-cache'
import { MODELO_ATUAL, resolveModelo } from '@balcao/contract/presets/editor-presets'
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
export type AskWithFallback = (request: AiRequest, ask: AskModel) => Promise<AiExchange>

export function createModelFallback(now: () => number): AskWithFallback {
  const unknown = new LRUCache<string, true>({
    ...{ maxSize: MAX_MODELS, sizeCalculation: () => 1 },
    ...{ ttl: UNKNOWN_MODEL_MS, ttlResolution: 0, perf: { now } },
  })

  return async ({ contaId, modelo: chosen }, ask) => {
    const key = `${contaId}|${chosen}`
    const modelo = resolveModelo(chosen)
    const isKnown = unknown.has(key)
    try {
      if (!isKnown && MODEL_ID.test(modelo)) return await ask(modelo)
    } catch (error) {
      if (findAiFailure(error)?.motivo !== 'modelo' || modelo === MODELO_ATUAL) throw error
    }
    const exchange = await ask(MODELO_ATUAL)
    // Stored only after success: a failure carries no notice, so the owner would never get it.
    if (!isKnown) unknown.set(key, true)
    return isKnown ? exchange : { ...exchange, resposta: { ...exchange.resposta, avisos: [fallbackNotice(chosen)] } }
  }
}

function fallbackNotice(modelo: string): string {
  return `O Gemini não conhece o modelo "${modelo}". A IA respondeu com ${MODELO_ATUAL}; escolha outro modelo na aba IA.`
}
