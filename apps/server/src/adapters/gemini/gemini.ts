import { createHash } from 'node:crypto'
import { IA_TIMEOUT_MS } from '@balcao/contract/constants'
import { createOutbound, type OutboundFetch } from '#adapters/outbound/outbound.ts'
import type { AiAnswer, AiRequest, AvailableModel, AiProvider } from '#ports/ai.ts'
import { createRetryingFetch } from './retrying-fetch.ts'
import { listAiModels } from './model-list.ts'
import type * as Conversar from './exchange.ts'
import type { AiExchange } from './exchange.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { ExchangeFailed, failureSentence, AiFailure, findAiFailure, MOTIVO_TEXTS } from './failures.ts'
import { createRateLimit, createContaSlots } from './limits.ts'
import { untilAborted, createDeadline } from './deadline.ts'
import { createModelFallback, type AskModel } from './model-fallback.ts'

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
/** Hard limit of a response. `buscar` stops at half of it with its own error. */
const RESPONSE_MAX_BYTES = 2 * 1024 * 1024
const LIST_TIMEOUT_MS = 6_000
const LIST_MAX = 200

/** Google's Gemini behind `ports/ai.ts`: limits, circuit breaker, timeouts and fallback for removed models. */
export function createGemini(options: GeminiOptions): AiProvider {
  const { log, timeoutMs = IA_TIMEOUT_MS, queueTimeoutMs = QUEUE_TIMEOUT_MS, backoffMs = BACKOFF_MS } = options
  const { now = () => performance.now() } = options
  const baseUrl = (options.baseUrl ?? GEMINI_URL).replace(/\/+$/, '')
  const [doPrograma, doAmbiente] = options.baseUrl === undefined ? [[baseUrl], []] : [[], [baseUrl]]
  const output = createOutbound({ fixedOrigins: doPrograma, envOrigins: doAmbiente, maxBytes: RESPONSE_MAX_BYTES })
  const perguntar = createAsk({ outbound: output, baseUrl, backoffMs, timeoutMs, queueTimeoutMs, now })
  const list = createListModels({ outbound: output, baseUrl, backoffMs, timeoutMs })

  return {
    // A failed import is reported by the next question.
    warmUp: () => void loadExchange().catch(() => undefined),
    answer: async (request, giveUp) => {
      const start = now()
      const duracao = (): number => Math.round(now() - start)
      try {
        const { resposta, registro } = await perguntar(request, giveUp)
        return { ...resposta, registro: { ...registro, duracaoMs: duracao() } }
      } catch (error) {
        const motivo = findAiFailure(error)?.motivo ?? 'confusa'
        if (motivo !== 'cancelada') {
          const detalhe = error instanceof Error ? error.message : String(error)
          log.warn({ contaId: request.contaId, motivo, detalhe }, 'AI question failed')
        }
        return toAnswer(error, duracao())
      }
    },
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

const loadExchange = (): Promise<typeof Conversar> => import('./exchange.ts')

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
 * Passes one question through every limit. Throws `FalhaIa`, or `ConversaFalhou` after the provider was called. The
 * provider's timeout starts only when it is called, so queueing does not count as its failure.
 */
function createAsk({ outbound, baseUrl, backoffMs, timeoutMs, queueTimeoutMs, now }: ProviderLimits) {
  const slots = createContaSlots()
  const pacer = createRateLimit(now)
  const breaker = createCircuitBreaker(now)
  const comReserva = createModelFallback(now)

  const noProvedor = (request: AiRequest, sinal: AbortSignal): Promise<AiExchange> => {
    const fetch = createRetryingFetch({ outbound, signal: sinal, backoffMs })
    const aoModelo: AskModel = async (modelo) => {
      const { runExchange } = await loadExchange()
      return runExchange({ request, modelo, baseUrl, geminiFetch: fetch, signal: sinal })
    }
    return untilAborted(comReserva(request, aoModelo), sinal)
  }

  /** Reports the outcome to the circuit breaker. The owner's test ignores an open circuit and closes it on success. */
  const comDisjuntor = async (request: AiRequest, sinal: AbortSignal): Promise<AiExchange> => {
    const key = circuitKey(request)
    const isTest = request.contatoId === null
    if (!isTest && !breaker.mayAsk(key)) throw new AiFailure('disjuntor')
    try {
      const conversa = await noProvedor(request, sinal)
      return breaker.succeeded(key) ? withCircuitNotice(conversa) : conversa
    } catch (error) {
      const failure = findAiFailure(error) ?? new AiFailure('confusa', String(error))
      if (!failure.fromProvider) breaker.inconclusive(key)
      const abriu = failure.fromProvider && !isTest && breaker.failed(key)
      throw new ExchangeFailed(failure, failure instanceof ExchangeFailed ? failure.cost : noCost(request), abriu)
    }
  }

  const esperarVez = async (contaId: string, giveUp?: AbortSignal): Promise<() => void> => {
    const paciencia = createDeadline(queueTimeoutMs, giveUp, 'fila')
    try {
      return await slots.acquire(contaId, paciencia.signal)
    } finally {
      paciencia.clear()
    }
  }

  return async (request: AiRequest, giveUp?: AbortSignal): Promise<AiExchange> => {
    const { contaId, contatoId } = request
    if (contatoId !== null && !pacer.allows(`${contaId}|${contatoId}`)) throw new AiFailure('ritmo')
    const leave = await esperarVez(contaId, giveUp)
    try {
      // Importing the SDK must not count as provider time.
      await loadExchange()
      const deadline = createDeadline(timeoutMs, giveUp)
      try {
        return await comDisjuntor(request, deadline.signal)
      } finally {
        deadline.clear()
      }
    } finally {
      leave()
    }
  }
}

const withCircuitNotice = ({ resposta, registro }: AiExchange): AiExchange => ({
  resposta: { ...resposta, disjuntor: 'fechou' },
  registro,
})

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
