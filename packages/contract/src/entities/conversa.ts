import * as z from 'zod/mini'
import { instantSchema } from './common.ts'
import { linhaDaConversaSchema } from './linha.ts'
import { mensagemSchema } from './mensagem.ts'

export const statusConversaSchema = z.enum(['aguardando', 'em_atendimento', 'finalizada'])
export type StatusConversa = z.infer<typeof statusConversaSchema>

/**
 * Why a conversa ended. `bot`: the customer chose the end in the menu or wrote PARAR. `reaberta`: an operador reopened
 * another conversa of the contato. `contatoJuntado`: two contatos became one.
 */
export const motivoFimSchema = z.enum([
  'atendente',
  'inatividade',
  'devolvida',
  'expirada',
  'bot',
  'agenteMeta',
  'reaberta',
  'contatoJuntado',
  'teste',
])
export type MotivoFim = z.infer<typeof motivoFimSchema>

export const clienteSchema = z.object({
  nome: z.string(),
  /** Empty when the service hides it. */
  telefone: z.string(),
  nomeUsuario: z.optional(z.string()),
  /** The visitor of the site typed the name. */
  nomeInformado: z.optional(z.literal(true)),
})

export const situacaoSchema = z.object({
  /** Grows with each change. Of two situacoes of a conversa the one with the greater `revisao` counts. */
  revisao: z.int(),
  status: statusConversaSchema,
  setor: z.string(),
  operadorId: z.optional(z.string()),
  operador: z.optional(z.string()),
  naoLidas: z.int(),
  agenteMeta: z.optional(z.literal(true)),
  ultimaAtividade: instantSchema,
  /** Present when the change begins a new wait. */
  aguardandoDesde: z.optional(instantSchema),
  /** As in a conversa. Null: a person wrote last. Absent: the server does not know it. */
  semRespostaDesde: z.optional(z.nullable(instantSchema)),
})
export type Situacao = z.infer<typeof situacaoSchema>

/** Read position and marks of one person in a conversa. No other person receives them. */
export const minhaSchema = z.object({
  /** Messages of the customer after the last one that the person read, at most 100. */
  naoLidas: z.int(),
  /** Marked as unread by hand. */
  marcada: z.boolean(),
  fixada: z.boolean(),
  /** The conversa is hidden from the views of the person until then. */
  lembrarEm: z.optional(instantSchema),
})
export type Minha = z.infer<typeof minhaSchema>

export const conversaSchema = z.object({
  id: z.string(),
  /** Grows with each change, see `situacaoSchema`. Absent: the server does not count changes. */
  revisao: z.optional(z.int()),
  /** `AAAAMMDD-NNNN`, counted per account. */
  protocolo: z.string(),
  setor: z.string(),
  status: statusConversaSchema,
  /** Absent: the server is older than contatos. */
  contatoId: z.optional(z.string()),
  etiquetas: z.optional(z.array(z.string())),
  /** Absent: the server is older than lines. */
  linha: z.optional(linhaDaConversaSchema),
  cliente: clienteSchema,
  /** Oldest first: the last 100, or as many as the request asked for. */
  mensagens: z.array(mensagemSchema),
  ultimaMensagem: z.optional(z.object({ texto: z.string(), timestamp: instantSchema })),
  ultimaAtividade: instantSchema,
  iniciadoEm: instantSchema,
  /** Instant when the customer started to wait. A transfer does not change it; a return to the queue does. */
  aguardandoDesde: instantSchema,
  /** The customer's first message after the last one of a person. Absent: a person wrote last, or the bot serves. */
  semRespostaDesde: z.optional(instantSchema),
  /** Of the person who asked. Absent in events. */
  minha: z.optional(minhaSchema),
  /** Messages received since an operator last wrote or took the conversa. */
  naoLidas: z.int(),
  operadorId: z.optional(z.string()),
  operador: z.optional(z.string()),
  finalizadaEm: z.optional(instantSchema),
  /** Absent: open, or the server is older than reasons. */
  motivoFim: z.optional(motivoFimSchema),
  /** The customer's last rating of a finished conversa, 0 to 5. */
  nota: z.optional(z.int()),
  /**
   * The customer wrote `PARAR`: the bot sends nothing until `VOLTAR`; operators may still write. Absent: not
   * requested.
   */
  pediuParada: z.optional(z.literal(true)),
  /** Meta's own agent answers the customer. A message of an operator takes the conversa over. */
  agenteMeta: z.optional(z.literal(true)),
  /** Started by the test button. Its messages do not count against the daily limit. */
  teste: z.boolean(),
})
export type Conversa = z.infer<typeof conversaSchema>

export const conversaBotSchema = z.object({
  id: z.string(),
  telefone: z.string(),
  nome: z.string(),
  etapa: z.string(),
  /** False after it ended or expired. */
  ativa: z.boolean(),
  ultimaMensagem: z.optional(z.object({ texto: z.string(), timestamp: instantSchema })),
  ultimaAtividade: instantSchema,
  iniciadoEm: instantSchema,
})
export type ConversaBot = z.infer<typeof conversaBotSchema>

/** A contato whom the bot serves now. Any operador may take the contato over. */
export const contatoComBotSchema = z.object({
  contatoId: z.string(),
  cliente: clienteSchema,
  etapa: z.string(),
  ultimaMensagem: z.optional(z.object({ texto: z.string(), timestamp: instantSchema })),
  ultimaAtividade: instantSchema,
  /** The order that the customer writes: its first items, at most 5, and the sum of all. Absent: there is none. */
  carrinho: z.optional(
    z.object({
      itens: z.array(z.object({ nome: z.string(), quantidade: z.int() })),
      /** Of all items, also those beyond the first 5. */
      totalItens: z.int(),
      subtotalCentavos: z.int(),
    }),
  ),
})
export type ContatoComBot = z.infer<typeof contatoComBotSchema>

/** The way of the customer to people, for the operador who begins to serve. */
export const resumoDaConversaSchema = z.object({
  /** Titles of the menu options that the customer chose, in their order. */
  caminho: z.array(z.string()),
  /** Names of the produtos that were named or shown, at most 10. */
  produtos: z.array(z.string()),
  /** The last texts of the customer before the hand-off, oldest first, at most 3. */
  ultimas: z.array(z.string()),
  /** Why the conversa came to people, in Portuguese. */
  motivo: z.string(),
  /** Summary by the AI, at most 3 lines. Absent: the AI is off, did not answer or has not answered yet. */
  ia: z.optional(z.string()),
})
export type ResumoDaConversa = z.infer<typeof resumoDaConversaSchema>

/** Earlier conversas and ratings of a customer, shown to the operator. */
export const fichaDoClienteSchema = z.object({
  /** Newest first, at most 20, without the current conversa. */
  anteriores: z.array(
    z.object({
      id: z.string(),
      protocolo: z.string(),
      setor: z.string(),
      /** Absent: the server is older than lines. */
      linha: z.optional(linhaDaConversaSchema),
      status: statusConversaSchema,
      operador: z.optional(z.string()),
      iniciadoEm: instantSchema,
      finalizadaEm: z.optional(instantSchema),
      nota: z.optional(z.int()),
    }),
  ),
  totalAnteriores: z.int(),
  /** Ratings given by this customer. `notaMedia` is null without ratings. */
  avaliacoes: z.object({ total: z.int(), notaMedia: z.nullable(z.number()) }),
  /** End of the reply window; afterwards only approved templates may be sent. Absent: the service has no such limit. */
  janelaAte: z.optional(instantSchema),
  /** Absent: the server is older than briefs. */
  resumo: z.optional(resumoDaConversaSchema),
})
export type FichaDoCliente = z.infer<typeof fichaDoClienteSchema>
