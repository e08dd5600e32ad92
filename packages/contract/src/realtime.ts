import * as z from 'zod/mini'
import { agendadaSchema } from '#entities/agendada.ts'
import { avisoSchema } from '#entities/aviso.ts'
import { botStatusSchema, conversaAtivaSchema, motivoBotSchema, statusBotSchema } from '#entities/bot-status.ts'
import { idSchema, instantSchema } from '#entities/common.ts'
import { contatoSchema } from '#entities/contato.ts'
import { contagensSchema } from '#entities/contagens.ts'
import { conversaSchema, minhaSchema, situacaoSchema } from '#entities/conversa.ts'
import { fonteSchema } from '#entities/fonte.ts'
import { linhaSchema } from '#entities/linha.ts'
import { logSchema } from '#entities/log.ts'
import { mensagemBotSchema } from '#entities/mensagem-bot.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { notaSchema } from '#entities/nota.ts'
import { pedidoSchema } from '#entities/pedido.ts'

/**
 * Socket.IO events from server to browser. `userId` is the account's id (`contaId`). `seq` grows with every event
 * of an account.
 */

/** The conversa after the change. Absent: the server does not count changes, and the event counts by its arrival. */
const situacao = z.optional(situacaoSchema)

const eventHeader = { userId: idSchema, seq: z.optional(z.int()) }

export const eventSchemas = {
  botStatus: z.extend(botStatusSchema, eventHeader),
  botStatusChange: z.object({ ...eventHeader, status: statusBotSchema, motivo: z.optional(motivoBotSchema) }),
  botQrCode: z.object({ ...eventHeader, qrCode: z.string(), qrExpiraEm: z.optional(instantSchema) }),
  /** Of a line that is not the main one, whose events are the three above. */
  linhaMudou: z.object({ ...eventHeader, linha: linhaSchema }),
  /** To people with `configuracaoGeral`. */
  linhaQrCode: z.object({
    ...eventHeader,
    linhaId: z.string(),
    qrCode: z.string(),
    qrExpiraEm: z.optional(instantSchema),
  }),
  botLog: z.extend(logSchema, eventHeader),
  /** A new message, or a known `id` with a changed `estado`. */
  botMensagem: z.extend(mensagemBotSchema, eventHeader),
  /** `ativa: false` removes the contato from the list. */
  botConversaAtiva: z.extend(conversaAtivaSchema, { ...eventHeader, ativa: z.optional(z.boolean()) }),
  novaConversaHumana: z.object({
    ...eventHeader,
    conversa: conversaSchema,
    /** Clients may hold the conversa already: they replace it and give no notice. */
    atualizada: z.optional(z.boolean()),
  }),
  /** A new message, or a known `mensagem.id` that was delivered, failed, edited, deleted or transcribed. */
  mensagemConversaHumana: z.object({
    ...eventHeader,
    conversaId: z.string(),
    mensagem: mensagemSchema,
    /** Edited, deleted, transcribed or reacted to. Clients that do not hold the message ignore the event. */
    marcada: z.optional(z.boolean()),
    situacao,
    idTemporario: z.optional(z.string()),
  }),
  /**
   * `naoLidas` is absent when an operator takes the conversa: then all is read. It is present when the server assigns
   * the conversa and when the removal of a setor moves it.
   */
  conversaAssumida: z.object({
    ...eventHeader,
    conversaId: z.string(),
    operadorId: z.string(),
    operador: z.string(),
    /** The server gave the conversa to this person, who has not read it yet. */
    automatica: z.optional(z.literal(true)),
    naoLidas: z.optional(z.int()),
    situacao,
  }),
  /** Finished or returned to the bot. Clients remove it from the list. */
  conversaFinalizada: z.object({
    ...eventHeader,
    conversaId: z.string(),
    /** Of the last change. Clients ignore later events of the conversa with no greater one. */
    revisao: z.optional(z.int()),
  }),
  /** The customer rated a finished conversa, 0 to 5. */
  avaliacaoRecebida: z.object({ ...eventHeader, conversaId: z.string(), nota: z.int() }),
  agendadaMudou: z.object({ ...eventHeader, conversaId: z.string(), agendada: agendadaSchema }),
  /** With `operadorId` the conversa is served by that operador, without it the conversa waits in the setor. */
  conversaTransferida: z.object({
    ...eventHeader,
    conversaId: z.string(),
    novoSetor: z.string(),
    operadorId: z.optional(z.string()),
    operador: z.optional(z.string()),
    situacao,
  }),
  conversaReaberta: z.object({ ...eventHeader, conversa: conversaSchema }),
  /** Sent only by services that report typing. Clients show it for a few seconds. */
  clienteDigitando: z.object({ ...eventHeader, conversaId: z.string() }),
  /** A colleague writes in the conversa. Clients show it for a few seconds. */
  colegaDigitando: z.object({ ...eventHeader, conversaId: z.string(), operadorId: z.string(), operador: z.string() }),
  /** To one person: what that person read or marked, on any device. */
  leituraMudou: z.object({ ...eventHeader, conversaId: z.string(), minha: minhaSchema }),
  /** To one person, at most once a second. */
  contagensMudaram: z.extend(contagensSchema, eventHeader),
  /** To one person. */
  avisoNovo: z.object({ ...eventHeader, aviso: avisoSchema }),
  /** A note of people. Not a message: no connector and no customer receives it. */
  notaConversa: z.object({ ...eventHeader, conversaId: z.string(), nota: notaSchema }),
  /** Created or changed in the panel. Has no `conversaAbertaId`, because not every receiver may see that conversa. */
  contatoMudou: z.object({ ...eventHeader, contato: z.omit(contatoSchema, { conversaAbertaId: true }) }),
  /** To people with `lojaWhatsapp` or `atendimentoHumano`. */
  pedidoNovo: z.object({
    ...{ ...eventHeader, pedido: pedidoSchema },
    /** The person who wrote the order for the customer. */
    autorId: z.optional(z.string()),
  }),
  pedidoMudou: z.object({ ...eventHeader, pedido: pedidoSchema }),
  /** To people with `iaChatbot`. `removida`: the source was deleted. */
  fonteMudou: z.object({ ...eventHeader, fonte: fonteSchema, removida: z.optional(z.literal(true)) }),
  /** The AI summarized the conversa, as `resumo.ia` of its ficha. */
  resumoConversa: z.object({ ...eventHeader, conversaId: z.string(), ia: z.string() }),
  operadorStatusChange: z.object({
    ...eventHeader,
    operadorId: z.string(),
    operador: z.string(),
    status: z.enum(['online', 'offline']),
  }),
} as const

export type ServerEventName = keyof typeof eventSchemas

/** Events about one conversa. Only usuarios who may read it receive them. */
export type ConversaEventName =
  | 'novaConversaHumana'
  | 'mensagemConversaHumana'
  | 'conversaAssumida'
  | 'conversaFinalizada'
  | 'conversaTransferida'
  | 'conversaReaberta'
  | 'clienteDigitando'
  | 'avaliacaoRecebida'
  | 'agendadaMudou'
  | 'notaConversa'
  | 'colegaDigitando'
  | 'resumoConversa'

/** Events to one person. */
export type PersonEventName = 'leituraMudou' | 'contagensMudaram' | 'avisoNovo'

export type ContaEventName = Exclude<ServerEventName, ConversaEventName | PersonEventName>

export type ServerEventPayloads = { [N in ServerEventName]: z.infer<(typeof eventSchemas)[N]> }

/** The same events as Socket.IO's type parameter: `new Server<{}, EventosSocket>()`, `Socket<EventosSocket>`. */
export type SocketEvents = { [N in ServerEventName]: (dados: ServerEventPayloads[N]) => void }

/** A received event, discriminated by `evento`. */
export type ServerEvent = { [N in ServerEventName]: { evento: N; dados: ServerEventPayloads[N] } }[ServerEventName]

const isEventName = (name: string): name is ServerEventName => name in eventSchemas
export const SERVER_EVENT_NAMES: readonly ServerEventName[] = Object.keys(eventSchemas).filter(isEventName)

const serverEventSchema = z.discriminatedUnion('evento', [
  z.object({ evento: z.literal('botStatus'), dados: eventSchemas.botStatus }),
  z.object({ evento: z.literal('botStatusChange'), dados: eventSchemas.botStatusChange }),
  z.object({ evento: z.literal('botQrCode'), dados: eventSchemas.botQrCode }),
  z.object({ evento: z.literal('linhaMudou'), dados: eventSchemas.linhaMudou }),
  z.object({ evento: z.literal('linhaQrCode'), dados: eventSchemas.linhaQrCode }),
  z.object({ evento: z.literal('botLog'), dados: eventSchemas.botLog }),
  z.object({ evento: z.literal('botMensagem'), dados: eventSchemas.botMensagem }),
  z.object({ evento: z.literal('botConversaAtiva'), dados: eventSchemas.botConversaAtiva }),
  z.object({ evento: z.literal('novaConversaHumana'), dados: eventSchemas.novaConversaHumana }),
  z.object({ evento: z.literal('mensagemConversaHumana'), dados: eventSchemas.mensagemConversaHumana }),
  z.object({ evento: z.literal('conversaAssumida'), dados: eventSchemas.conversaAssumida }),
  z.object({ evento: z.literal('conversaFinalizada'), dados: eventSchemas.conversaFinalizada }),
  z.object({ evento: z.literal('conversaTransferida'), dados: eventSchemas.conversaTransferida }),
  z.object({ evento: z.literal('conversaReaberta'), dados: eventSchemas.conversaReaberta }),
  z.object({ evento: z.literal('clienteDigitando'), dados: eventSchemas.clienteDigitando }),
  z.object({ evento: z.literal('avaliacaoRecebida'), dados: eventSchemas.avaliacaoRecebida }),
  z.object({ evento: z.literal('agendadaMudou'), dados: eventSchemas.agendadaMudou }),
  z.object({ evento: z.literal('notaConversa'), dados: eventSchemas.notaConversa }),
  z.object({ evento: z.literal('colegaDigitando'), dados: eventSchemas.colegaDigitando }),
  z.object({ evento: z.literal('leituraMudou'), dados: eventSchemas.leituraMudou }),
  z.object({ evento: z.literal('contagensMudaram'), dados: eventSchemas.contagensMudaram }),
  z.object({ evento: z.literal('avisoNovo'), dados: eventSchemas.avisoNovo }),
  z.object({ evento: z.literal('contatoMudou'), dados: eventSchemas.contatoMudou }),
  z.object({ evento: z.literal('pedidoNovo'), dados: eventSchemas.pedidoNovo }),
  z.object({ evento: z.literal('pedidoMudou'), dados: eventSchemas.pedidoMudou }),
  z.object({ evento: z.literal('fonteMudou'), dados: eventSchemas.fonteMudou }),
  z.object({ evento: z.literal('resumoConversa'), dados: eventSchemas.resumoConversa }),
  z.object({ evento: z.literal('operadorStatusChange'), dados: eventSchemas.operadorStatusChange }),
])

/** Validates an event from the wire. Returns null for an unknown name or an invalid payload. Never throws. */
export function parseServerEvent(name: string, data: unknown): ServerEvent | null {
  const parsed = serverEventSchema.safeParse({ evento: name, dados: data })
  return parsed.success ? parsed.data : null
}
