import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { IA_TIMEOUT_MS } from '@balcao/contract/constants'
import { MODELO_ATUAL, resolveModelo } from '@balcao/contract/presets/editor-presets'
import { type OutboundFetch, createOutbound } from '#adapters/outbound/outbound.ts'
import type { AiAnswer, AiProvider, AiRequest, AvailableModel } from '#ports/ai.ts'
import { createRetryingFetch } from './retrying-fetch.ts'
import { createTranscribe } from './transcribe.ts'
import type * as Exchange from './exchange.ts'
import type { AiExchange } from './exchange.ts'
import {
  createCircuitBreaker,
  createContaSlots,
  createDeadline,
  createFilesGate,
  createRateLimit,
  untilAborted,
} from './limits.ts'
import {
  AiFailure,
  ExchangeFailed,
  MOTIVO_TEXTS,
  failureSentence,
  findAiFailure,
  motivoForStatus,
  redact,
} from './failures.ts'

const UNKNOWN_MODEL_MS = 3_600_000
const MAX_MODELS = 5_000
/** The id becomes part of a URL at the provider. */
const MODEL_ID = /^[a-zA-Z0-9][\w.-]{0,99}$/

type AskModel = (modelo: string) => Promise<AiExchange>

/** Asks the chosen model, or the current one if the provider rejects it. Then the first answer contains a notice. */
type AskWithFallback = (request: AiRequest, ask: AskModel) => Promise<AiExchange>

function createModelFallback(now: () => number): AskWithFallback {
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

const GEMINI_URL = 'https://generativelanguage.googleapis.com'

export interface GeminiOptions {
  /** Without `/v1beta`. Comes only from the environment: an account must not choose where its questions go. */
  readonly baseUrl?: string | undefined
  readonly log: { readonly warn: (data: object, mensagem: string) => void }
  readonly timeoutMs?: number
  readonly queueTimeoutMs?: number
  readonly backoffMs?: number
  readonly now?: () => number
}

const BACKOFF_MS = 400
/** A question that waits longer than this for its turn fails, because the customer has waited long enough. */
const QUEUE_TIMEOUT_MS = 10_000
/** Hard limit of a response. `createRetryingFetch` stops at half of it with its own error. */
const RESPONSE_MAX_BYTES = 2 * 1024 * 1024
const LIST_TIMEOUT_MS = 6_000
const LIST_MAX = 200

export function createGemini(options: GeminiOptions): AiProvider {
  const { log, timeoutMs = IA_TIMEOUT_MS, queueTimeoutMs = QUEUE_TIMEOUT_MS, backoffMs = BACKOFF_MS } = options
  const { now = () => performance.now() } = options
  const baseUrl = (options.baseUrl ?? GEMINI_URL).replace(/\/+$/, '')
  const [fixedOrigins, envOrigins] = options.baseUrl === undefined ? [[baseUrl], []] : [[], [baseUrl]]
  const outbound = createOutbound({ fixedOrigins, envOrigins, maxBytes: RESPONSE_MAX_BYTES })
  const ask = createAsk({ outbound, baseUrl, backoffMs, timeoutMs, queueTimeoutMs, now })
  const list = createListModels({ outbound, baseUrl, backoffMs, timeoutMs })

  return {
    // A failed import is reported by the next question.
    warmUp: () => void loadExchange().catch(() => undefined),
    answer: async (request, giveUp) => {
      const start = now()
      const duration = (): number => Math.round(now() - start)
      try {
        const { resposta, registro } = await ask(request, giveUp)
        return { ...resposta, registro: { ...registro, duracaoMs: duration() } }
      } catch (error) {
        const motivo = findAiFailure(error)?.motivo ?? 'confusa'
        if (motivo !== 'cancelada') {
          const detalhe = error instanceof Error ? error.message : String(error)
          log.warn({ contaId: request.contaId, motivo, detalhe }, 'AI question failed')
        }
        return toAnswer(error, duration())
      }
    },
    transcribe: createTranscribe({ outbound, baseUrl, backoffMs, log, now }),
    checkKey: async (apiKey) => {
      try {
        await list(apiKey, 1)
        return null
      } catch (error) {
        return failureSentence(error)
      }
    },
    listModels: async (apiKey) => {
      try {
        return await list(apiKey, LIST_MAX)
      } catch (error) {
        log.warn({ motivo: findAiFailure(error)?.motivo ?? 'confusa' }, 'AI model list not read')
        return null
      }
    },
  }
}

const loadExchange = (): Promise<typeof Exchange> => import('./exchange.ts')

interface ProviderAccess {
  readonly outbound: OutboundFetch
  readonly baseUrl: string
  readonly backoffMs: number
  readonly timeoutMs: number
}

interface ProviderLimits extends ProviderAccess {
  readonly queueTimeoutMs: number
  readonly now: () => number
}

/**
 * Passes one question through every limit. Throws `AiFailure`, or `ExchangeFailed` after the provider was called. The
 * provider's timeout starts only when it is called, so queueing does not count as its failure.
 */
function createAsk({ outbound, baseUrl, backoffMs, timeoutMs, queueTimeoutMs, now }: ProviderLimits) {
  const inSlot = createContaSlots()
  const filesGate = createFilesGate(queueTimeoutMs)
  const mayAskNow = createRateLimit(now)
  const breaker = createCircuitBreaker(now)
  const askWithFallback = createModelFallback(now)

  const callProvider = (request: AiRequest, signal: AbortSignal): Promise<AiExchange> => {
    const geminiFetch = createRetryingFetch({ outbound, signal, backoffMs })
    const askModel: AskModel = async (modelo) => {
      const { runExchange } = await loadExchange()
      return runExchange({ request, modelo, baseUrl, geminiFetch, signal })
    }
    return untilAborted(askWithFallback(request, askModel), signal)
  }

  /** Reports the outcome to the circuit breaker. The owner's test ignores an open circuit and closes it on success. */
  const throughBreaker = async (request: AiRequest, signal: AbortSignal): Promise<AiExchange> => {
    const key = circuitKey(request)
    const isTrial = request.contatoId === null
    if (!isTrial && !breaker.mayAsk(key)) throw new AiFailure('disjuntor')
    try {
      const exchange = await callProvider(request, signal)
      if (!breaker.succeeded(key)) return exchange
      return { ...exchange, resposta: { ...exchange.resposta, disjuntor: 'fechou' } }
    } catch (error) {
      const failure = findAiFailure(error) ?? new AiFailure('confusa', String(error))
      if (!failure.fromProvider) breaker.inconclusive(key)
      const hasOpened = failure.fromProvider && !isTrial && breaker.failed(key)
      throw new ExchangeFailed(failure, failure instanceof ExchangeFailed ? failure.cost : noCost(request), hasOpened)
    }
  }

  const askInTime = async (request: AiRequest, giveUp?: AbortSignal): Promise<AiExchange> => {
    const deadline = createDeadline(timeoutMs, giveUp)
    try {
      return await throughBreaker(request, deadline.signal)
    } finally {
      deadline.clear()
    }
  }

  return async (request: AiRequest, giveUp?: AbortSignal): Promise<AiExchange> => {
    const { contaId, contatoId } = request
    if (contatoId !== null && !mayAskNow(`${contaId}|${contatoId}`)) throw new AiFailure('ritmo')
    return inSlot(contaId, createDeadline(queueTimeoutMs, giveUp, 'fila'), async () => {
      // Importing the SDK and reading files must not count as provider time.
      await loadExchange()
      const { withFiles } = request
      if (withFiles === undefined) return askInTime(request, giveUp)
      return filesGate.run(async () => {
        if (giveUp?.aborted === true) throw new AiFailure('cancelada')
        return askInTime(await withFiles(), giveUp)
      }, contaId)
    })
  }
}

function createListModels({ outbound, baseUrl, backoffMs, timeoutMs }: ProviderAccess) {
  return async (apiKey: string, count: number): Promise<AvailableModel[]> => {
    const deadline = createDeadline(Math.min(LIST_TIMEOUT_MS, timeoutMs))
    try {
      const fetch = createRetryingFetch({ outbound, signal: deadline.signal, backoffMs })
      return await untilAborted(listAiModels({ baseUrl, apiKey, geminiFetch: fetch, limit: count }), deadline.signal)
    } finally {
      deadline.clear()
    }
  }
}

/** The key is part of the circuit, so a new API key is tried immediately. */
function circuitKey({ contaId, modelo, apiKey }: AiRequest): string {
  return `${contaId}|${modelo}|${createHash('sha256').update(apiKey).digest('base64url').slice(0, 16)}`
}

function noCost({ modelo }: AiRequest): ExchangeFailed['cost'] {
  return { modelo, ferramentas: [], tokensEntrada: 0, tokensSaida: 0 }
}

function toAnswer(error: unknown, duracaoMs: number): AiAnswer {
  const failure = findAiFailure(error)
  const reply = { tipo: 'falha', motivo: MOTIVO_TEXTS[failure?.motivo ?? 'confusa'] } as const
  if (!(failure instanceof ExchangeFailed)) return reply
  const news = failure.openedCircuit ? ({ disjuntor: 'abriu' } as const) : {}
  return { ...reply, ...news, registro: { ...failure.cost, duracaoMs } }
}

const modelListSchema = z.object({
  models: z.optional(
    z.array(
      z.object({
        name: z.string(),
        displayName: z.optional(z.string()),
        supportedGenerationMethods: z.optional(z.array(z.string())),
      }),
    ),
  ),
})

const NON_CHAT_MODELS = /-(tts|image|live|embedding|computer-use|native-audio|robotics)|embedding|aqa|imagen|veo/

export interface ModelListInput {
  readonly baseUrl: string
  readonly apiKey: string
  readonly geminiFetch: typeof globalThis.fetch
  readonly limit: number
}

export async function listAiModels({ baseUrl, apiKey, geminiFetch, limit }: ModelListInput): Promise<AvailableModel[]> {
  const reply = await geminiFetch(`${baseUrl}/v1beta/models?pageSize=${limit}`, {
    headers: { 'x-goog-api-key': apiKey, accept: 'application/json' },
  })
  const body = await reply.text()
  if (!reply.ok) {
    throw new AiFailure(motivoForStatus(reply.status, body), redact(`${reply.status} ${body}`, apiKey))
  }
  const parsed = modelListSchema.safeParse(parseJson(body))
  if (!parsed.success) throw new AiFailure('confusa')
  return (parsed.data.models ?? [])
    .filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true)
    .map(({ name, displayName }) => ({ id: name.replace(/^models\//, ''), nome: displayName ?? name }))
    .filter(({ id }) => /^gemini-[\w.-]{1,100}$/.test(id) && !NON_CHAT_MODELS.test(id))
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
