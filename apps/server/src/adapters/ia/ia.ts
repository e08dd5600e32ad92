import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { IA_TIMEOUT_MS } from '@balcao/contract/constants'
import { FATOS_PROVEDOR, type ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import type { AiAccess, AiAnswer, AiProvider, AiRequest, AvailableModel } from '#ports/ai.ts'
import { type AddressOptions, createAddresses, type ProviderAddress } from './addresses.ts'
import { anthropic } from './provedores/anthropic.ts'
import { compativel } from './provedores/compativel.ts'
import { gemini } from './provedores/gemini.ts'
import { openai } from './provedores/openai.ts'
import type { Provider } from './provedores/provider.ts'
import { createRetryingFetch } from './retrying-fetch.ts'
import { createTranscribe } from './transcricao/transcribe.ts'
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
import { AiFailure, ExchangeFailed, failureSentence, findAiFailure, motivoText } from './failures.ts'

const UNKNOWN_MODEL_MS = 3_600_000
const MAX_MODELS = 5_000

const PROVIDERS: Readonly<Record<ProvedorIa, Provider>> = { gemini, openai, anthropic, compativel }

type AskModel = (modelo: string) => Promise<AiExchange>

/** Asks the chosen model, or another one if the provider rejects it. Then the first answer contains a notice. */
type AskWithFallback = (request: AiRequest, ask: AskModel) => Promise<AiExchange>

function createModelFallback(now: () => number): AskWithFallback {
  const unknown = new LRUCache<string, true>({
    ...{ maxSize: MAX_MODELS, sizeCalculation: () => 1 },
    ...{ ttl: UNKNOWN_MODEL_MS, ttlResolution: 0, perf: { now } },
  })

  return async ({ contaId, provedor, modelo: chosen }, ask) => {
    const { resolve, acceptsModel, fallbackModel } = PROVIDERS[provedor]
    const key = `${contaId}|${provedor}|${chosen}`
    const modelo = resolve?.(chosen) ?? chosen
    const isKnown = unknown.has(key)
    try {
      if (!isKnown && acceptsModel(modelo)) return await ask(modelo)
    } catch (error) {
      if (findAiFailure(error)?.motivo !== 'modelo' || modelo === fallbackModel) throw error
    }
    if (fallbackModel === null) throw new AiFailure('modelo')
    const exchange = await ask(fallbackModel)
    // Stored only after success: a failure carries no notice, so the owner would never get it.
    if (!isKnown) unknown.set(key, true)
    if (isKnown) return exchange
    const { nome, artigo } = FATOS_PROVEDOR[provedor]
    const notice = `${artigo.toUpperCase()} ${nome} não conhece o modelo "${chosen}". A IA respondeu com ${fallbackModel}; escolha outro modelo na aba IA.`
    return { ...exchange, resposta: { ...exchange.resposta, avisos: [notice] } }
  }
}

export interface IaOptions extends AddressOptions {
  readonly log: { readonly warn: (data: object, mensagem: string) => void }
  readonly timeoutMs?: number
  readonly queueTimeoutMs?: number
  readonly backoffMs?: number
  readonly now?: () => number
}

const BACKOFF_MS = 400
/** A question that waits longer than this for its turn fails, because the customer has waited long enough. */
const QUEUE_TIMEOUT_MS = 10_000
const LIST_TIMEOUT_MS = 6_000
const LIST_MAX = 200

/** The assistant at the four providers. Their limits, deadlines and circuit breakers are the same. */
export function createIa(options: IaOptions): AiProvider {
  const { log, timeoutMs = IA_TIMEOUT_MS, queueTimeoutMs = QUEUE_TIMEOUT_MS, backoffMs = BACKOFF_MS } = options
  const { now = () => performance.now() } = options
  const addressOf = createAddresses(options)
  const ask = createAsk({ addressOf, backoffMs, timeoutMs, queueTimeoutMs, now })
  const list = createListModels({ addressOf, backoffMs, timeoutMs })

  return {
    // A failed import is reported by the next question.
    warmUp: (provedor) => void loadSdk(provedor).catch(() => undefined),
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
          log.warn({ contaId: request.contaId, provedor: request.provedor, motivo, detalhe }, 'AI question failed')
        }
        return toAnswer(error, request.provedor, duration())
      }
    },
    transcribe: createTranscribe({ addressOf, backoffMs, log, now }),
    checkKey: async (access) => {
      try {
        await list(access, 1)
        return null
      } catch (error) {
        return failureSentence(error, access.provedor)
      }
    },
    listModels: async (access) => {
      try {
        return await list(access, LIST_MAX)
      } catch (error) {
        log.warn(
          { provedor: access.provedor, motivo: findAiFailure(error)?.motivo ?? 'confusa' },
          'AI model list not read',
        )
        return null
      }
    },
  }
}

const loadExchange = (): Promise<typeof Exchange> => import('./exchange.ts')

/** The core of the SDK and the part of one vendor. */
async function loadSdk(provedor: ProvedorIa): Promise<void> {
  await Promise.all([loadExchange(), PROVIDERS[provedor].loadModels()])
}

interface ListLimits {
  readonly addressOf: (access: AiAccess) => Promise<ProviderAddress>
  readonly backoffMs: number
  readonly timeoutMs: number
}

interface ProviderLimits extends ListLimits {
  readonly queueTimeoutMs: number
  readonly now: () => number
}

/**
 * Passes one question through every limit. Throws `AiFailure`, or `ExchangeFailed` after the provider was called. The
 * provider's timeout starts only when it is called, so queueing does not count as its failure.
 */
function createAsk({ addressOf, backoffMs, timeoutMs, queueTimeoutMs, now }: ProviderLimits) {
  const inSlot = createContaSlots()
  const filesGate = createFilesGate(queueTimeoutMs)
  const mayAskNow = createRateLimit(now)
  const breaker = createCircuitBreaker(now)
  const askWithFallback = createModelFallback(now)

  const callProvider = async (request: AiRequest, signal: AbortSignal): Promise<AiExchange> => {
    const { baseUrl, outbound } = await addressOf(request)
    const fetch = createRetryingFetch({ outbound, signal, backoffMs })
    const provider = PROVIDERS[request.provedor]
    const askModel: AskModel = async (modelo) => {
      const { runExchange } = await loadExchange()
      return runExchange({ request, modelo, provider, baseUrl, fetch, signal })
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
      await loadSdk(request.provedor)
      const { withFiles } = request
      if (withFiles === undefined) return askInTime(request, giveUp)
      return filesGate.run(async () => {
        if (giveUp?.aborted === true) throw new AiFailure('cancelada')
        return askInTime(await withFiles(), giveUp)
      }, contaId)
    })
  }
}

function createListModels({ addressOf, backoffMs, timeoutMs }: ListLimits) {
  return async (access: AiAccess, count: number): Promise<AvailableModel[]> => {
    const { provedor, apiKey } = access
    const { baseUrl, outbound } = await addressOf(access)
    const deadline = createDeadline(Math.min(LIST_TIMEOUT_MS, timeoutMs))
    try {
      const fetch = createRetryingFetch({ outbound, signal: deadline.signal, backoffMs })
      return await untilAborted(PROVIDERS[provedor].listModels({ apiKey, baseUrl, fetch }, count), deadline.signal)
    } finally {
      deadline.clear()
    }
  }
}

/** The key is part of the circuit, so a new API key is tried immediately. */
function circuitKey({ contaId, provedor, urlBase, modelo, apiKey }: AiRequest): string {
  return `${contaId}|${provedor}|${urlBase}|${modelo}|${createHash('sha256').update(apiKey).digest('base64url').slice(0, 16)}`
}

function noCost({ modelo }: AiRequest): ExchangeFailed['cost'] {
  return { modelo, ferramentas: [], tokensEntrada: 0, tokensSaida: 0 }
}

function toAnswer(error: unknown, provedor: ProvedorIa, duracaoMs: number): AiAnswer {
  const failure = findAiFailure(error)
  const reply = { tipo: 'falha', motivo: motivoText(failure?.motivo ?? 'confusa', provedor) } as const
  if (!(failure instanceof ExchangeFailed)) return reply
  const news = failure.openedCircuit ? ({ disjuntor: 'abriu' } as const) : {}
  return { ...reply, ...news, registro: { ...failure.cost, duracaoMs } }
}
