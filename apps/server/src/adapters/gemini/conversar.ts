import { createGoogle } from '@ai-sdk/google'
import { APICallError, generateText, isStepCount, type ModelMessage } from 'ai'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import { ConversaFalhou, FalhaIa, falhaEm, type Gasto, motivoDoStatus, redigir } from './falhas.ts'
import { createCaderno, ferramentas } from './ferramentas.ts'

/**
 * Only this file and `ferramentas.ts` import the AI SDK. They are loaded with the first question, so accounts
 * without AI do not pay for the import.
 */

// The SDK logs to the console when a model ignores a setting.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/** Rounds with tools; the last round must answer with text. */
const RODADAS = 4
const TOKENS_MAXIMO = 8_192

export interface ConversarInput {
  readonly request: AiRequest
  readonly modelo: string
  readonly baseUrl: string
  readonly buscar: typeof globalThis.fetch
  readonly sinal: AbortSignal
}

export interface Conversa {
  readonly resposta: AiAnswer
  readonly registro: Gasto
}

/** Asks the model, runs the tools it calls and returns the answer with its cost. Throws `ConversaFalhou`. */
export async function conversar({ request, modelo, baseUrl, buscar, sinal }: ConversarInput): Promise<Conversa> {
  const caderno = createCaderno(request)
  let [tokensEntrada, tokensSaida] = [0, 0]
  const registro = (): Gasto => ({ modelo, ferramentas: caderno.linhas(), tokensEntrada, tokensSaida })
  try {
    const google = createGoogle({ apiKey: request.apiKey, baseURL: `${baseUrl}/v1beta`, fetch: buscar })
    const { text, finishReason } = await generateText({
      model: google(modelo),
      instructions: request.instrucoes,
      messages: mensagens(request),
      tools: ferramentas(request),
      stopWhen: isStepCount(RODADAS),
      prepareStep: ({ stepNumber }) => (stepNumber === RODADAS - 1 ? { toolChoice: 'none' } : {}),
      temperature: request.temperatura,
      maxOutputTokens: TOKENS_MAXIMO,
      maxRetries: 0,
      abortSignal: sinal,
      providerOptions: { google: pensamento(modelo) },
      onStepEnd: ({ usage, content }) => {
        tokensEntrada += usage.inputTokens ?? 0
        tokensSaida += usage.outputTokens ?? 0
        caderno.anotar(content)
      },
    })
    const setor = caderno.transferencia()
    if (setor !== null) return { resposta: { tipo: 'transferir', setor }, registro: registro() }
    if (finishReason === 'content-filter') throw new FalhaIa('recusou')
    if (text.trim() === '') throw new FalhaIa('vazia', finishReason)
    return { resposta: { tipo: 'texto', texto: text }, registro: registro() }
  } catch (error) {
    throw new ConversaFalhou(classificar(error, request.apiKey), registro())
  }
}

/** Limits thinking, because without a budget this model thinks too long while the customer waits. */
function pensamento(modelo: string): { thinkingConfig?: { thinkingBudget: number } } {
  return modelo.startsWith('gemini-2.5-flash') ? { thinkingConfig: { thinkingBudget: 512 } } : {}
}

function mensagens({ historico, pergunta, midias }: AiRequest): ModelMessage[] {
  const lembradas = historico.map(({ de, texto }): ModelMessage => ({
    role: de === 'cliente' ? 'user' : 'assistant',
    content: texto,
  }))
  const arquivos = midias.map(({ mimeType, bytes }) => ({ type: 'file' as const, data: bytes, mediaType: mimeType }))
  return [...lembradas, { role: 'user', content: [...arquivos, { type: 'text', text: pergunta }] }]
}

function classificar(error: unknown, apiKey: string): FalhaIa {
  const conhecida = falhaEm(error)
  if (conhecida !== null) return conhecida
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300) {
    const corpo = error.responseBody ?? ''
    return new FalhaIa(motivoDoStatus(error.statusCode, corpo), redigir(`${error.statusCode} ${error.message}`, apiKey))
  }
  return new FalhaIa('confusa', redigir(error instanceof Error ? error.message : String(error), apiKey))
}
