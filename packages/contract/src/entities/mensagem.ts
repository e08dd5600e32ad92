import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

export const estadoMensagemSchema = z.enum(['pendente', 'enviada', 'entregue', 'lida', 'falhou', 'limite'])
export type EstadoMensagem = z.infer<typeof estadoMensagemSchema>

/** Author of the message. `celular`: the owner wrote it on the phone. */
export const origemMensagemSchema = z.enum(['cliente', 'bot', 'ia', 'operador', 'celular'])
export type OrigemMensagem = z.infer<typeof origemMensagemSchema>

export const midiaSchema = z.object({
  tipo: z.enum(['imagem', 'audio', 'video', 'documento', 'figurinha', 'localizacao', 'contato', 'outro']),
  /**
   * Address of the file, such as `/api/midias/…?e=…&a=…`. It needs no session and works for some minutes; read the
   * message again for a fresh one. Absent: the file was not stored.
   */
  url: z.optional(z.string()),
  nomeArquivo: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  tamanhoBytes: z.optional(z.int()),
})
export type Midia = z.infer<typeof midiaSchema>

/**
 * Words of a voice note, written down by the AI provider of the shop. `pendente`: the text is empty and follows in an event
 * of the message. `falhou`: the text stays empty.
 */
export const transcricaoSchema = z.object({ texto: z.string(), estado: z.enum(['pendente', 'pronta', 'falhou']) })
export type Transcricao = z.infer<typeof transcricaoSchema>

/** An answer that the customer may tap. `id` is read as if the customer had typed it. */
export const escolhaSchema = z.object({ id: z.string(), titulo: z.string() })
export type Escolha = z.infer<typeof escolhaSchema>

export const mensagemSchema = z.object({
  id: z.string(),
  /**
   * Grows with each edit, deletion, reaction and transcript. Of two copies of a message the marks of the one with the greater
   * `revisao` count. Absent: 0.
   */
  revisao: z.optional(z.int()),
  texto: z.string(),
  remetente: z.string(),
  timestamp: instantSchema,
  /** `enviada`: written by the shop (operator, bot or phone). `recebida`: written by the customer. */
  tipo: z.enum(['enviada', 'recebida']),
  origem: z.optional(origemMensagemSchema),
  /** Only in the browser: shown before the server confirmed it. */
  temporaria: z.optional(z.boolean()),
  userId: z.optional(z.string()),
  simulada: z.optional(z.boolean()),
  estado: z.optional(estadoMensagemSchema),
  midia: z.optional(midiaSchema),
  editada: z.optional(z.boolean()),
  /** Text after the last edit. `texto` keeps the original. */
  edicao: z.optional(z.string()),
  /** Deleted by its author. `texto` keeps the original. */
  apagada: z.optional(z.boolean()),
  /** The quoted message. `nossa`: written by the shop. */
  citada: z.optional(z.object({ texto: z.string(), nossa: z.boolean() })),
  /** An operador forwarded it from another conversa. */
  encaminhada: z.optional(z.literal(true)),
  /** At most one reaction per side. */
  reacoes: z.optional(z.array(z.string())),
  /** The shop's own reaction, also contained in `reacoes`. */
  reacaoLoja: z.optional(z.string()),
  /** A missed call; `texto` describes it. */
  ligacao: z.optional(z.enum(['voz', 'video'])),
  agenteMeta: z.optional(z.literal(true)),
  transcricao: z.optional(transcricaoSchema),
  /** The text says that this order was made. */
  pedidoId: z.optional(z.string()),
  erro: z.optional(z.string()),
})
export type Mensagem = z.infer<typeof mensagemSchema>

/** A file or a link of a chat. A message with several links has several entries. */
export const arquivoDaConversaSchema = z.object({
  mensagemId: z.string(),
  em: instantSchema,
  autor: z.string(),
  /** Written by the shop. */
  nossa: z.boolean(),
  /** Always with `url`. Absent: a link. */
  midia: z.optional(midiaSchema),
  link: z.optional(z.string()),
})
export type ArquivoDaConversa = z.infer<typeof arquivoDaConversaSchema>
