import { createGoogle } from '@ai-sdk/google'
import { APICallError, generateText, isStepCount, jsonSchema, type ModelMessage, tool, type ToolSet } from 'ai'
import * as z from 'zod/mini'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import { ConversaFalhou, FalhaIa, falhaEm, type Gasto, motivoDoStatus, redigir } from './falhas.ts'

/** The only file that knows the AI SDK: loaded with the first question, so that a shop without AI never pays for it. */

// The library would write to the console about settings that a model ignores.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

const TRANSFERIR = 'transferir_para_setor'
const PROCURAR = 'procurar_produtos'
/** Rounds with tools; the last one may only speak. */
const RODADAS = 4
const TOKENS_MAXIMO = 8_192
const ANOTACAO_MAXIMA = 4_000

export interface ConversarInput {
  readonly request: AiRequest
  readonly modelo: string
  readonly baseUrl: string
  readonly buscar: typeof fetch
  readonly sinal: AbortSignal
}

export interface Conversa {
  readonly resposta: AiAnswer
  readonly registro: Gasto
}

/** Asks the model, runs the tools it wants, and says what came of it. Throws `ConversaFalhou`. */
export async function conversar({ request, modelo, baseUrl, buscar, sinal }: ConversarInput): Promise<Conversa> {
  const anotadas: Anotacao[] = []
  let [tokensEntrada, tokensSaida] = [0, 0]
  const registro = (): Gasto => ({ modelo, ferramentas: anotadas, tokensEntrada, tokensSaida })
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
      // `buscar` tries again by itself, within the question's time.
      maxRetries: 0,
      abortSignal: sinal,
      providerOptions: { google: pensamento(modelo) },
      onStepEnd: ({ usage, content }) => {
        tokensEntrada += usage.inputTokens ?? 0
        tokensSaida += usage.outputTokens ?? 0
        for (const parte of content) anotar(anotadas, parte)
      },
    })
    const setor = transferencia(anotadas, request)
    if (setor !== null) return { resposta: { tipo: 'transferir', setor }, registro: registro() }
    if (finishReason === 'content-filter') throw new FalhaIa('recusou')
    if (text.trim() === '') throw new FalhaIa('vazia', finishReason)
    return { resposta: { tipo: 'texto', texto: text }, registro: registro() }
  } catch (error) {
    throw new ConversaFalhou(classificar(error, request.apiKey), registro())
  }
}

/** A little thought where a model would otherwise think for as long as it likes while the customer waits. */
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

const pedidoTransferir = z.object({ setor: z.string() })
const pedidoProcurar = z.object({ busca: z.string() })

/** The two things the model may do besides speaking. Handing over has no `execute`: asked for, the conversation with the model ends. */
function ferramentas({ setores, procurarProdutos }: AiRequest): ToolSet {
  const tools: ToolSet = {}
  if (setores.length > 0) {
    const ids = setores.map(({ id }) => id)
    tools[TRANSFERIR] = tool({
      description: `Passa a conversa para um atendente humano do setor: ${setores.map(({ id, nome }) => `${id} (${nome})`).join(', ')}.`,
      inputSchema: jsonSchema<{ setor: string }>(
        { type: 'object', properties: { setor: { type: 'string', enum: ids } }, required: ['setor'] },
        {
          validate: (valor) => {
            const lido = pedidoTransferir.safeParse(valor)
            if (lido.success && ids.includes(lido.data.setor)) return { success: true, value: lido.data }
            return { success: false, error: new Error(`setor deve ser um destes: ${ids.join(', ')}`) }
          },
        },
      ),
    })
  }
  if (procurarProdutos !== null) {
    tools[PROCURAR] = tool({
      description: 'Procura produtos do catálogo por palavras e devolve nome, preço, descrição e link de compra.',
      inputSchema: jsonSchema<{ busca: string }>(
        { type: 'object', properties: { busca: { type: 'string' } }, required: ['busca'] },
        {
          validate: (valor) => {
            const lido = pedidoProcurar.safeParse(valor)
            return lido.success ? { success: true, value: lido.data } : { success: false, error: lido.error }
          },
        },
      ),
      execute: ({ busca }) => ({ produtos: JSON.parse(JSON.stringify(procurarProdutos(busca.slice(0, 200)))) }),
    })
  }
  return tools
}

interface Anotacao {
  readonly nome: string
  readonly pedido: string
  resultado: string
  readonly id: string
}

interface Parte {
  readonly type: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: unknown
}

/** Keeps what the model asked for and what it was told. */
function anotar(anotadas: Anotacao[], { type, toolCallId = '', toolName = '', input, output }: Parte): void {
  if (type === 'tool-call') {
    anotadas.push({ id: toolCallId, nome: toolName.slice(0, 100), pedido: curto(input), resultado: '' })
  }
  const pedida = anotadas.find(({ id }) => id === toolCallId)
  if (pedida === undefined) return
  if (type === 'tool-result') pedida.resultado = curto(output)
  if (type === 'tool-error') pedida.resultado = RECUSADA
}

const RECUSADA = 'Pedido recusado: não existe ou não é válido.'

function curto(valor: unknown): string {
  return (typeof valor === 'string' ? valor : (JSON.stringify(valor) ?? '')).slice(0, ANOTACAO_MAXIMA).toWellFormed()
}

/** The sector of a valid wish to hand over, or null. */
function transferencia(anotadas: readonly Anotacao[], { setores }: AiRequest): string | null {
  for (const { nome, pedido, resultado } of anotadas) {
    if (nome !== TRANSFERIR || resultado === RECUSADA) continue
    const lido = pedidoTransferir.safeParse(JSON.parse(pedido))
    if (lido.success && setores.some(({ id }) => id === lido.data.setor)) return lido.data.setor
  }
  return null
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
