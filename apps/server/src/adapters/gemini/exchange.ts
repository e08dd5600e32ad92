import { createGoogle } from '@ai-sdk/google'
import { APICallError, generateText, isStepCount, type ModelMessage } from 'ai'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import { ExchangeFailed, AiFailure, findAiFailure, type AiCost, motivoForStatus, redact } from './failures.ts'
import { createToolLog, createTools } from './tools.ts'

/**
 * Only this file and `tools.ts` import the AI SDK. They are loaded with the first question, so accounts
 * without AI do not pay for the import.
 */

// The SDK logs to the console when a model ignores a setting.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/** Rounds with tools; the last round must answer with text. */
const MAX_STEPS = 4
const TOKENS_MAX = 8_192

export interface ExchangeInput {
  readonly request: AiRequest
  readonly modelo: string
  readonly baseUrl: string
  readonly geminiFetch: typeof globalThis.fetch
  readonly signal: AbortSignal
}

export interface AiExchange {
  readonly resposta: AiAnswer
  readonly registro: AiCost
}

/** Asks the model, runs the tools it calls and returns the answer with its cost. Throws `ExchangeFailed`. */
export async function runExchange({
  request,
  modelo,
  baseUrl,
  geminiFetch,
  signal,
}: ExchangeInput): Promise<AiExchange> {
  const toolLog = createToolLog(request)
  let [tokensEntrada, tokensSaida] = [0, 0]
  const cost = (): AiCost => ({ modelo, ferramentas: toolLog.entries(), tokensEntrada, tokensSaida })
  try {
    const google = createGoogle({ apiKey: request.apiKey, baseURL: `${baseUrl}/v1beta`, fetch: geminiFetch })
    const { text, finishReason } = await generateText({
      model: google(modelo),
      instructions: request.instrucoes,
      messages: buildMessages(request),
      tools: createTools(request),
      stopWhen: isStepCount(MAX_STEPS),
      prepareStep: ({ stepNumber }) => (stepNumber === MAX_STEPS - 1 ? { toolChoice: 'none' } : {}),
      temperature: request.temperatura,
      maxOutputTokens: TOKENS_MAX,
      maxRetries: 0,
      abortSignal: signal,
      providerOptions: { google: thinkingOptions(modelo) },
      onStepEnd: ({ usage, content }) => {
        tokensEntrada += usage.inputTokens ?? 0
        tokensSaida += usage.outputTokens ?? 0
        toolLog.record(content)
      },
    })
    const setor = toolLog.transferredSetor()
    if (setor !== null) return { resposta: { tipo: 'transferir', setor }, registro: cost() }
    if (finishReason === 'content-filter') throw new AiFailure('recusou')
    if (text.trim() === '') throw new AiFailure('vazia', finishReason)
    return { resposta: { tipo: 'texto', texto: text }, registro: cost() }
  } catch (error) {
    throw new ExchangeFailed(classifyError(error, request.apiKey), cost())
  }
}

/** Limits thinking, because without a budget this model thinks too long while the customer waits. */
function thinkingOptions(modelo: string): { thinkingConfig?: { thinkingBudget: number } } {
  return modelo.startsWith('gemini-2.5-flash') ? { thinkingConfig: { thinkingBudget: 512 } } : {}
}

function buildMessages({ historico, pergunta, midias }: AiRequest): ModelMessage[] {
  const remembered = historico.map(({ de, texto }): ModelMessage => ({
    role: de === 'cliente' ? 'user' : 'assistant',
    content: texto,
  }))
  const arquivos = midias.map(({ mimeType, bytes }) => ({ type: 'file' as const, data: bytes, mediaType: mimeType }))
  return [...remembered, { role: 'user', content: [...arquivos, { type: 'text', text: pergunta }] }]
}

function classifyError(error: unknown, apiKey: string): AiFailure {
  const known = findAiFailure(error)
  if (known !== null) return known
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300) {
    const body = error.responseBody ?? ''
    return new AiFailure(
      motivoForStatus(error.statusCode, body),
      redact(`${error.statusCode} ${error.message}`, apiKey),
    )
  }
  return new AiFailure('confusa', redact(error instanceof Error ? error.message : String(error), apiKey))
}
