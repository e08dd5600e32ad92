import * as z from 'zod/mini'
import { instanteSchema } from './comum.ts'
import { mensagemSchema } from './mensagem.ts'

/** A conversation handed to people (spec §3 "Human conversation"). */

export const statusConversaSchema = z.enum(['aguardando', 'em_atendimento', 'finalizada'])
export type StatusConversa = z.infer<typeof statusConversaSchema>

export const clienteSchema = z.object({ nome: z.string(), telefone: z.string() })

export const conversaSchema = z.object({
  id: z.string(),
  /** `AAAAMMDD-NNNN`, per account. */
  protocolo: z.string(),
  setor: z.string(),
  status: statusConversaSchema,
  cliente: clienteSchema,
  /** Oldest first, the last `LOGS_MANTIDOS`, or as many as the list was asked for. */
  mensagens: z.array(mensagemSchema),
  ultimaMensagem: z.optional(z.object({ texto: z.string(), timestamp: instanteSchema })),
  ultimaAtividade: instanteSchema,
  iniciadoEm: instanteSchema,
  /** When the customer began to wait; a transfer keeps it. */
  aguardandoDesde: instanteSchema,
  /** Messages received since an operator last wrote or took the conversation. */
  naoLidas: z.int(),
  operadorId: z.optional(z.string()),
  /** The name of whoever took it. */
  operador: z.optional(z.string()),
  finalizadaEm: z.optional(instanteSchema),
  /** The customer asked for silence (`PARAR`): the bot sends nothing until `VOLTAR`, people may. Absent: nothing was asked. */
  pediuParada: z.optional(z.literal(true)),
  /** Started by a test button: costs nothing of the daily limit. */
  teste: z.boolean(),
})
export type Conversa = z.infer<typeof conversaSchema>

/** A contact's conversation with the bot, in the Logs tab's list. */
export const conversaBotSchema = z.object({
  id: z.string(),
  telefone: z.string(),
  nome: z.string(),
  etapa: z.string(),
  /** False once ended or expired. */
  ativa: z.boolean(),
  ultimaMensagem: z.optional(z.object({ texto: z.string(), timestamp: instanteSchema })),
  ultimaAtividade: instanteSchema,
  iniciadoEm: instanteSchema,
})
export type ConversaBot = z.infer<typeof conversaBotSchema>

/** What the person who answers wants to know of the customer before answering. */
export const fichaDoClienteSchema = z.object({
  /** This one left out, newest first, at most 20. */
  anteriores: z.array(
    z.object({
      id: z.string(),
      protocolo: z.string(),
      setor: z.string(),
      status: statusConversaSchema,
      operador: z.optional(z.string()),
      iniciadoEm: instanteSchema,
      finalizadaEm: z.optional(instanteSchema),
      nota: z.optional(z.int()),
    }),
  ),
  /** How many there are in all. */
  totalAnteriores: z.int(),
  /** The customer's ratings; the mean is null without any. */
  avaliacoes: z.object({ total: z.int(), notaMedia: z.nullable(z.number()) }),
  /** Until when the service lets anything but an approved message be sent. Absent: there is no such limit. */
  janelaAte: z.optional(instanteSchema),
})
export type FichaDoCliente = z.infer<typeof fichaDoClienteSchema>

export const atendimentoEstatisticasSchema = z.object({
  total: z.int(),
  aguardando: z.int(),
  emAtendimento: z.int(),
  finalizadasHoje: z.int(),
  tempoMedioRespostaMs: z.nullable(z.number()),
  porSetor: z.array(z.object({ setor: z.string(), total: z.int(), aguardando: z.int() })),
})
export type AtendimentoEstatisticas = z.infer<typeof atendimentoEstatisticasSchema>
