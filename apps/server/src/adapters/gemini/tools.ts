import { jsonSchema, tool, type ToolSet } from 'ai'
import * as z from 'zod/mini'
import type { AiRequest, AiCallRecord } from '#ports/ai.ts'

const TRANSFER_TOOL = 'transferir_para_setor'
const SEARCH_TOOL = 'procurar_produtos'
const SEARCH_MAX = 200
const NOTE_MAX = 4_000
const REFUSED_TEXT = 'Pedido recusado: não existe ou não é válido.'

const transferArgsSchema = z.object({ setor: z.string() })
const searchArgsSchema = z.object({ busca: z.string() })

export function createTools({ setores, procurarProdutos }: AiRequest): ToolSet {
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

export interface ToolLog {
  readonly record: (parts: readonly ToolPart[]) => void
  readonly entries: () => AiCallRecord['ferramentas']
  readonly transferredSetor: () => string | null
}

export function createToolLog({ setores }: AiRequest): ToolLog {
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
