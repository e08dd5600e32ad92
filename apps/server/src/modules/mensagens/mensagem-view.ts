import * as z from 'zod/mini'
import type { QuotedMessage, InboundMessage, OutboundMessage } from '@balcao/connector/port'
import {
  type EstadoMensagem,
  escolhaSchema,
  estadoMensagemSchema,
  type Mensagem,
  type Midia,
  midiaSchema,
  transcricaoSchema,
} from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
import { instant } from '#db/statement/fields.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { canonicalAddress } from '#modules/enderecos/index.ts'

interface ReadMensagem {
  readonly id: string
  readonly direcao: 'entrada' | 'saida'
  readonly origem: 'cliente' | 'bot' | 'ia' | 'operador' | 'telefone'
  readonly texto: string
  readonly midia: Midia | null
  readonly estado: EstadoMensagem
  readonly erro: string | null
  readonly operador: string | null
  readonly simulada: boolean
  readonly extras?: MensagemMarks | null
  readonly criadaEm: string
}

export function toMensagem(row: ReadMensagem, customerName: string): Mensagem {
  return {
    id: row.id,
    texto: row.texto,
    remetente: senderOf(row, customerName),
    timestamp: row.criadaEm,
    tipo: row.direcao === 'entrada' ? 'recebida' : 'enviada',
    origem: row.origem === 'telefone' ? 'celular' : row.origem,
    estado: row.estado,
    ...(row.midia === null ? {} : { midia: row.midia }),
    ...(row.erro === null ? {} : { erro: row.erro }),
    ...(row.simulada ? { simulada: true } : {}),
    ...(row.extras?.revisao === undefined ? {} : { revisao: row.extras.revisao }),
    ...marksView(row.extras),
  }
}

function senderOf({ origem, operador, extras }: ReadMensagem, nomeCliente: string): string {
  switch (origem) {
    case 'cliente':
      return nomeCliente
    case 'operador':
      return operador ?? 'Operador'
    case 'telefone':
      return extras?.agenteMeta === true ? 'Agente da Meta' : 'Celular'
    case 'bot':
    case 'ia':
      return 'Bot'
    default:
      return origem satisfies never
  }
}

/** Column `mensagens.extras`: edits, reactions, the transcript, the quoted message and the answers to tap. */
export const mensagemMarksSchema = z.object({
  edicao: z.optional(z.string()),
  apagada: z.optional(z.boolean()),
  /** `alvo`: id of the quoted message at the service. Only set for replies of operadores. */
  citada: z.optional(z.object({ texto: z.string(), nossa: z.boolean(), alvo: z.optional(z.string()) })),
  encaminhada: z.optional(z.literal(true)),
  escolhas: z.optional(z.array(escolhaSchema)),
  pedidoId: z.optional(z.string()),
  /** Id of the order whose PIX code the text is. */
  cobranca: z.optional(z.string()),
  reacaoCliente: z.optional(z.string()),
  reacaoLoja: z.optional(z.string()),
  ligacao: z.optional(z.enum(['voz', 'video'])),
  agenteMeta: z.optional(z.boolean()),
  transcricao: z.optional(transcricaoSchema),
  revisao: z.optional(z.int()),
})
export type MensagemMarks = z.infer<typeof mensagemMarksSchema>

/** A subquery per message, because a join could scan the whole table `saida`. */
export const mensagemColumns = sql`
m.id, m.conversa_id, m.direcao, m.origem, m.texto, m.midia, m.estado, m.erro, m.operador, m.simulada, m.extras, m.criada_em,
m.estado = 'enviada' and coalesce(
  (select true from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id limit 1), false
) as na_fila`

export const mensagemRowSchema = z.object({
  id: z.string(),
  conversaId: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  origem: z.enum(['cliente', 'bot', 'ia', 'operador', 'telefone']),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  estado: estadoMensagemSchema,
  erro: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  simulada: z.boolean(),
  extras: z.nullable(mensagemMarksSchema),
  criadaEm: instant,
  naFila: z.boolean(),
})
type MensagemRow = z.output<typeof mensagemRowSchema>

/** A queued message is `pendente`, unless a receipt arrived before its row was deleted. */
export function mensagemFromRow({ naFila, estado, ...row }: MensagemRow, customerName: string): Mensagem {
  return toMensagem({ ...row, estado: naFila ? 'pendente' : estado }, customerName)
}

type MensagemView =
  | ('editada' | 'edicao' | 'apagada' | 'citada' | 'encaminhada')
  | ('reacoes' | 'reacaoLoja' | 'ligacao' | 'agenteMeta' | 'pedidoId' | 'transcricao')

export function marksView(extras: MensagemMarks | null | undefined): Pick<Mensagem, MensagemView> {
  if (extras === null || extras === undefined) return {}
  const { edicao, apagada, citada, encaminhada, reacaoCliente, reacaoLoja } = extras
  const reacoes = [reacaoCliente, reacaoLoja].filter((one) => one !== undefined)
  return {
    ...(edicao === undefined ? {} : { editada: true, edicao }),
    ...(apagada === true ? { apagada } : {}),
    ...(citada === undefined ? {} : { citada: { texto: citada.texto, nossa: citada.nossa } }),
    ...(encaminhada === undefined ? {} : { encaminhada }),
    ...(reacoes.length === 0 ? {} : { reacoes }),
    ...(reacaoLoja === undefined ? {} : { reacaoLoja }),
    ...kindView(extras),
  }
}

function kindView({ ligacao, agenteMeta, pedidoId, transcricao }: MensagemMarks): Pick<Mensagem, MensagemView> {
  return {
    ...(ligacao === undefined ? {} : { ligacao }),
    ...(agenteMeta === true ? { agenteMeta } : {}),
    ...(pedidoId === undefined ? {} : { pedidoId }),
    ...(transcricao === undefined ? {} : { transcricao }),
  }
}

/** Marks that the service needs to send the message. */
export type SentMarks = Pick<OutboundMessage, 'citada' | 'encaminhada' | 'escolhas' | 'cobranca'>

export function sentMarksOf(extras: MensagemMarks | null | undefined): SentMarks {
  const { texto, nossa, alvo } = extras?.citada ?? {}
  const { encaminhada, escolhas, cobranca } = extras ?? {}
  return {
    ...(texto === undefined || nossa === undefined || alvo === undefined ? {} : { citada: { id: alvo, nossa, texto } }),
    ...(encaminhada === undefined ? {} : { encaminhada }),
    ...(escolhas === undefined ? {} : { escolhas }),
    ...(cobranca === undefined ? {} : { cobranca }),
  }
}

export const QUOTE_MAX = 300

export function quoteText(mensagem: { readonly texto: string; readonly midia?: Midia }): string {
  return summarizeMensagem(mensagem).slice(0, QUOTE_MAX).toWellFormed()
}

/** Searches only the conversas of this contato, so a customer cannot quote a message sent to another one. */
const findQuotedRow = oneRow(
  'conversas: find quoted mensagem',
  z.object({ texto: z.string(), midia: z.nullable(midiaSchema), direcao: z.enum(['entrada', 'saida']) }),
  sql`select m.texto, m.midia, m.direcao from enderecos e
      join conversas v on v.conta_id = e.conta_id and v.contato_id = e.contato_id
      join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id and m.canal = ${value('channel', 'text')}
        and m.id_externo = ${value('serviceId', 'text')}
      where e.conta_id = ${contaId} and e.endereco = any (${value('addresses', 'text[]')}) limit 1`,
)

export interface QuotedSearch {
  readonly contaId: string
  readonly channel: string
  readonly customer: Pick<InboundMessage, 'telefone' | 'endereco' | 'outrosEnderecos'>
  readonly serviceId: string
}

export async function findQuoted(
  tx: Tx,
  { contaId, channel, customer, serviceId }: QuotedSearch,
): Promise<QuotedMessage | null> {
  const { telefone, endereco, outrosEnderecos = [] } = customer
  const addresses = [...new Set([canonicalAddress(telefone, endereco), endereco, ...outrosEnderecos])]
  const line = await findQuotedRow(tx, { contaId, addresses, channel, serviceId })
  if (line === null) return null
  const { texto, midia, direcao } = line
  return { texto: quoteText({ texto, ...(midia === null ? {} : { midia }) }), nossa: direcao === 'saida' }
}
