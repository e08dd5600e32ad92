import { APICallError, type ModelMessage, type ToolSet, generateText, isStepCount, jsonSchema, tool } from 'ai'
import * as z from 'zod/mini'
import type { AiAnswer, AiCallRecord, AiRequest } from '#ports/ai.ts'
import {
  type AiCost,
  AiFailure,
  ExchangeFailed,
  findAiFailure,
  motivoForStatus,
  type OwnErrors,
  redact,
} from './failures.ts'
import type { Provider } from './provedores/provider.ts'

const TRANSFER_TOOL = 'transferir_para_setor'
const SEARCH_TOOL = 'procurar_produtos'
const SEARCH_MAX = 200
const NOTE_MAX = 4_000
const REFUSED_TEXT = 'Pedido recusado: não existe ou não é válido.'

const transferArgsSchema = z.object({ setor: z.string() })
const searchArgsSchema = z.object({ busca: z.string() })

function createTools({ setores, procurarProdutos }: AiRequest): ToolSet {
  return {
    ...(setores.length === 0 ? {} : { [TRANSFER_TOOL]: transferTool(setores) }),
    ...(procurarProdutos === null ? {} : { [SEARCH_TOOL]: searchTool(procurarProdutos) }),
  }
}

/** Has no `execute`: a valid call ends the exchange with the model. */
function transferTool(setores: AiRequest['setores']): ToolSet[string] {
  const ids = setores.map(({ id }) => id)
  return tool({
    description: `Passa a conversa para um atendente humano do setor: ${setores.map(({ id, nome }) => `${id} (${nome})`).join(', ')}.`,
    inputSchema: jsonSchema<{ setor: string }>(
      { type: 'object', properties: { setor: { type: 'string', enum: ids } }, required: ['setor'] },
      {
        validate: (value) => {
          const parsed = transferArgsSchema.safeParse(value)
          if (parsed.success && ids.includes(parsed.data.setor)) return { success: true, value: parsed.data }
          return { success: false, error: new Error(`setor deve ser um destes: ${ids.join(', ')}`) }
        },
      },
    ),
  })
}

function searchTool(procurarProdutos: NonNullable<AiRequest['procurarProdutos']>): ToolSet[string] {
  return tool({
    description: 'Procura produtos do catálogo por palavras e devolve nome, preço, descrição e link de compra.',
    inputSchema: jsonSchema<{ busca: string }>(
      { type: 'object', properties: { busca: { type: 'string' } }, required: ['busca'] },
      {
        validate: (value) => {
          const parsed = searchArgsSchema.safeParse(value)
          return parsed.success ? { success: true, value: parsed.data } : { success: false, error: parsed.error }
        },
      },
    ),
    execute: ({ busca }) => ({ produtos: JSON.parse(JSON.stringify(procurarProdutos(busca.slice(0, SEARCH_MAX)))) }),
  })
}

interface ToolPart {
  readonly type: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: unknown
}

interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  result: string
}

interface ToolLog {
  readonly record: (parts: readonly ToolPart[]) => void
  readonly entries: () => AiCallRecord['ferramentas']
  readonly transferredSetor: () => string | null
}

function createToolLog({ setores }: AiRequest): ToolLog {
  const calls: ToolCall[] = []
  const recordPart = ({ type, toolCallId = '', toolName = '', input, output }: ToolPart): void => {
    if (type === 'tool-call') {
      calls.push({ id: toolCallId, name: toolName.slice(0, 100), input, result: '' })
    }
    const call = calls.find(({ id }) => id === toolCallId)
    if (call === undefined) return
    if (type === 'tool-result') call.result = truncate(output)
    if (type === 'tool-error') call.result = REFUSED_TEXT
  }
  return {
    record: (parts) => parts.forEach(recordPart),
    entries: () => calls.map(({ name, input, result }) => ({ nome: name, pedido: truncate(input), resultado: result })),
    transferredSetor: () => {
      for (const { name, input, result } of calls) {
        const parsed = transferArgsSchema.safeParse(input)
        if (name !== TRANSFER_TOOL || result === REFUSED_TEXT || !parsed.success) continue
        if (setores.some(({ id }) => id === parsed.data.setor)) return parsed.data.setor
      }
      return null
    },
  }
}

function truncate(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, NOTE_MAX).toWellFormed()
}

/** Only this file imports the core of the AI SDK. It is loaded with the first question, so others do not pay for it. */

// The SDK logs to the console when a model ignores a setting.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/** Rounds with tools; the last round must answer with text. */
const MAX_STEPS = 4
const TOKENS_MAX = 8_192

export interface ExchangeInput {
  readonly request: AiRequest
  readonly modelo: string
  readonly provider: Provider
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
}

export interface AiExchange {
  readonly resposta: AiAnswer
  readonly registro: AiCost
}

export async function runExchange({
  request,
  modelo,
  provider,
  baseUrl,
  fetch,
  signal,
}: ExchangeInput): Promise<AiExchange> {
  const toolLog = createToolLog(request)
  let [tokensEntrada, tokensSaida] = [0, 0]
  const cost = (): AiCost => ({ modelo, ferramentas: toolLog.entries(), tokensEntrada, tokensSaida })
  try {
    const modelOf = await provider.loadModels()
    const { text, finishReason } = await generateText({
      model: modelOf({ apiKey: request.apiKey, baseUrl, fetch }, modelo),
      instructions: request.instrucoes,
      messages: buildMessages(request),
      tools: createTools(request),
      stopWhen: isStepCount(MAX_STEPS),
      prepareStep: ({ stepNumber }) => (stepNumber === MAX_STEPS - 1 ? { toolChoice: 'none' } : {}),
      temperature: request.temperatura,
      maxOutputTokens: TOKENS_MAX,
      maxRetries: 0,
      abortSignal: signal,
      providerOptions: provider.options?.(modelo) ?? {},
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
    throw new ExchangeFailed(classifyError(error, request.apiKey, provider.errors), cost())
  }
}

function buildMessages({ historico, pergunta, midias }: AiRequest): ModelMessage[] {
  const remembered = historico.map(({ de, texto }): ModelMessage => ({
    role: de === 'cliente' ? 'user' : 'assistant',
    content: texto,
  }))
  const arquivos = midias.map(({ mimeType, bytes }) => ({ type: 'file' as const, data: bytes, mediaType: mimeType }))
  return [...remembered, { role: 'user', content: [...arquivos, { type: 'text', text: pergunta }] }]
}

function classifyError(error: unknown, apiKey: string, errors: OwnErrors): AiFailure {
  const known = findAiFailure(error)
  if (known !== null) return known
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300) {
    const body = error.responseBody ?? ''
    return new AiFailure(
      motivoForStatus(error.statusCode, body, errors),
      redact(`${error.statusCode} ${error.message}`, apiKey),
    )
  }
  return new AiFailure('confusa', redact(error instanceof Error ? error.message : String(error), apiKey))
}
