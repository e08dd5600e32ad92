import * as z from 'zod/mini'
import { instanteSchema } from './comum.ts'

/** A message inside a human conversation (spec §3 "Message"). */

export const estadoMensagemSchema = z.enum(['pendente', 'enviada', 'entregue', 'lida', 'falhou', 'limite'])
export type EstadoMensagem = z.infer<typeof estadoMensagemSchema>

/** Who wrote it; `celular` is the owner typing on the phone. */
export const origemMensagemSchema = z.enum(['cliente', 'bot', 'ia', 'operador', 'celular'])
export type OrigemMensagem = z.infer<typeof origemMensagemSchema>

export const midiaSchema = z.object({
  tipo: z.enum(['imagem', 'audio', 'video', 'documento', 'figurinha', 'localizacao', 'contato', 'outro']),
  /** Where the bytes are, such as `/api/midias/…`: whoever knows it may GET it, without a session. Absent: they were not kept. */
  url: z.optional(z.string()),
  nomeArquivo: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  tamanhoBytes: z.optional(z.int()),
})
export type Midia = z.infer<typeof midiaSchema>

export const mensagemSchema = z.object({
  id: z.string(),
  texto: z.string(),
  /** The name to show: the customer's, the operator's, or 'Bot'. */
  remetente: z.string(),
  timestamp: instanteSchema,
  /** `enviada`: left from our side (operator, bot or phone); `recebida`: came from the customer. */
  tipo: z.enum(['enviada', 'recebida']),
  origem: z.optional(origemMensagemSchema),
  /** Only in the browser: shown before the server confirmed it. */
  temporaria: z.optional(z.boolean()),
  userId: z.optional(z.string()),
  simulada: z.optional(z.boolean()),
  estado: z.optional(estadoMensagemSchema),
  midia: z.optional(midiaSchema),
  editada: z.optional(z.boolean()),
  /** What it says since it was edited; `texto` stays as it was first said. */
  edicao: z.optional(z.string()),
  /** Taken back by whoever wrote it; the words stay. */
  apagada: z.optional(z.boolean()),
  /** The message that it answers. */
  citada: z.optional(z.object({ texto: z.string(), nossa: z.boolean() })),
  /** At most one of each side. */
  reacoes: z.optional(z.array(z.string())),
  /** The one of ours among them. */
  reacaoLoja: z.optional(z.string()),
  /** A call that nobody took; `texto` says so. */
  ligacao: z.optional(z.enum(['voz', 'video'])),
  /** Why it failed, in words for a person. */
  erro: z.optional(z.string()),
})
export type Mensagem = z.infer<typeof mensagemSchema>
