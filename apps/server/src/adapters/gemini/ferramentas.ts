import { jsonSchema, tool, type ToolSet } from 'ai'
import * as z from 'zod/mini'
import type { AiRequest, RegistroIa } from '#ports/ai.ts'

const TRANSFERIR = 'transferir_para_setor'
const PROCURAR = 'procurar_produtos'
const BUSCA_MAXIMA = 200
const ANOTACAO_MAXIMA = 4_000
const RECUSADA = 'Pedido recusado: não existe ou não é válido.'

const pedidoTransferir = z.object({ setor: z.string() })
const pedidoProcurar = z.object({ busca: z.string() })

export function ferramentas({ setores, procurarProdutos }: AiRequest): ToolSet {
  return {
    ...(setores.length === 0 ? {} : { [TRANSFERIR]: transferir(setores) }),
    ...(procurarProdutos === null ? {} : { [PROCURAR]: procurar(procurarProdutos) }),
  }
}

/** Has no `execute`: a valid call ends the exchange with the model. */
function transferir(setores: AiRequest['setores']): ToolSet[string] {
  const ids = setores.map(({ id }) => id)
  return tool({
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

function procurar(procurarProdutos: NonNullable<AiRequest['procurarProdutos']>): ToolSet[string] {
  return tool({
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
    execute: ({ busca }) => ({ produtos: JSON.parse(JSON.stringify(procurarProdutos(busca.slice(0, BUSCA_MAXIMA)))) }),
  })
}

interface Parte {
  readonly type: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: unknown
}

interface Chamada {
  readonly id: string
  readonly nome: string
  readonly entrada: unknown
  resultado: string
}

export interface Caderno {
  readonly anotar: (partes: readonly Parte[]) => void
  readonly linhas: () => RegistroIa['ferramentas']
  readonly transferencia: () => string | null
}

export function createCaderno({ setores }: AiRequest): Caderno {
  const chamadas: Chamada[] = []
  const anotarUma = ({ type, toolCallId = '', toolName = '', input, output }: Parte): void => {
    if (type === 'tool-call') {
      chamadas.push({ id: toolCallId, nome: toolName.slice(0, 100), entrada: input, resultado: '' })
    }
    const chamada = chamadas.find(({ id }) => id === toolCallId)
    if (chamada === undefined) return
    if (type === 'tool-result') chamada.resultado = curto(output)
    if (type === 'tool-error') chamada.resultado = RECUSADA
  }
  return {
    anotar: (partes) => partes.forEach(anotarUma),
    linhas: () => chamadas.map(({ nome, entrada, resultado }) => ({ nome, pedido: curto(entrada), resultado })),
    transferencia: () => {
      for (const { nome, entrada, resultado } of chamadas) {
        const lido = pedidoTransferir.safeParse(entrada)
        if (nome !== TRANSFERIR || resultado === RECUSADA || !lido.success) continue
        if (setores.some(({ id }) => id === lido.data.setor)) return lido.data.setor
      }
      return null
    },
  }
}

function curto(valor: unknown): string {
  return (typeof valor === 'string' ? valor : (JSON.stringify(valor) ?? '')).slice(0, ANOTACAO_MAXIMA).toWellFormed()
}
