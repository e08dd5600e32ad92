import * as z from 'zod/mini'
import { botStatusSchema, conversaAtivaSchema, motivoBotSchema, statusBotSchema } from '#entities/bot-status.ts'
import { idSchema, instanteSchema } from '#entities/comum.ts'
import { conversaSchema } from '#entities/conversa.ts'
import { logSchema } from '#entities/log.ts'
import { mensagemBotSchema } from '#entities/mensagem-bot.ts'
import { mensagemSchema } from '#entities/mensagem.ts'

/**
 * Socket.IO events, server → browser (spec §7, decisions §6). Every payload carries `userId`, which is the account's id
 * (`contaId`), and may carry `seq`, a number that only grows per account. `connect_error` is the client library's own.
 */

const cabecalho = { userId: idSchema, seq: z.optional(z.int()) }

export const eventos = {
  /** The whole status. */
  botStatus: z.extend(botStatusSchema, cabecalho),
  botStatusChange: z.object({ ...cabecalho, status: statusBotSchema, motivo: z.optional(motivoBotSchema) }),
  botQrCode: z.object({ ...cabecalho, qrCode: z.string(), qrExpiraEm: z.optional(instanteSchema) }),
  botLog: z.extend(logSchema, cabecalho),
  /** A new message, or the same `id` again when its `estado` changed. */
  botMensagem: z.extend(mensagemBotSchema, cabecalho),
  /** `ativa: false` takes the contact out of the list. */
  botConversaAtiva: z.extend(conversaAtivaSchema, { ...cabecalho, ativa: z.optional(z.boolean()) }),
  novaConversaHumana: z.object({ ...cabecalho, conversa: conversaSchema }),
  /** A new message, or the same `mensagem.id` again when it changed (delivered, failed, edited, deleted). */
  mensagemConversaHumana: z.object({
    ...cabecalho,
    conversaId: z.string(),
    mensagem: mensagemSchema,
    /** It was told before and is marked now (edited, deleted, reacted to): it may be old, and whoever does not have it needs not. */
    marcada: z.optional(z.boolean()),
    /** The sender's own id of the message, echoed. */
    idTemporario: z.optional(z.string()),
  }),
  /** Taking reads everything; `naoLidas` is given when the conversation stays with who serves it, in another sector. */
  conversaAssumida: z.object({
    ...cabecalho,
    conversaId: z.string(),
    operadorId: z.string(),
    operador: z.string(),
    naoLidas: z.optional(z.int()),
  }),
  /** Finished, or given back to the bot: it leaves the list. */
  conversaFinalizada: z.object({ ...cabecalho, conversaId: z.string() }),
  conversaTransferida: z.object({ ...cabecalho, conversaId: z.string(), novoSetor: z.string() }),
  /** The customer is writing, where the service tells: shown for some seconds. */
  clienteDigitando: z.object({ ...cabecalho, conversaId: z.string() }),
  operadorStatusChange: z.object({
    ...cabecalho,
    operadorId: z.string(),
    operador: z.string(),
    status: z.enum(['online', 'offline']),
  }),
} as const

export type NomeEvento = keyof typeof eventos

/** Event name → payload. */
export type EventosServidor = { [N in NomeEvento]: z.infer<(typeof eventos)[N]> }

/** The same map as Socket.IO wants it: `new Server<{}, EventosSocket>()`, `Socket<EventosSocket>`. */
export type EventosSocket = { [N in NomeEvento]: (dados: EventosServidor[N]) => void }

/** One received event; `evento` tells the payload. */
export type EventoServidor = { [N in NomeEvento]: { evento: N; dados: EventosServidor[N] } }[NomeEvento]

export const NOMES_EVENTOS: readonly NomeEvento[] = [
  'botStatus',
  'botStatusChange',
  'botQrCode',
  'botLog',
  'botMensagem',
  'botConversaAtiva',
  'novaConversaHumana',
  'mensagemConversaHumana',
  'conversaAssumida',
  'conversaFinalizada',
  'conversaTransferida',
  'clienteDigitando',
  'operadorStatusChange',
]

const eventoServidorSchema = z.discriminatedUnion('evento', [
  z.object({ evento: z.literal('botStatus'), dados: eventos.botStatus }),
  z.object({ evento: z.literal('botStatusChange'), dados: eventos.botStatusChange }),
  z.object({ evento: z.literal('botQrCode'), dados: eventos.botQrCode }),
  z.object({ evento: z.literal('botLog'), dados: eventos.botLog }),
  z.object({ evento: z.literal('botMensagem'), dados: eventos.botMensagem }),
  z.object({ evento: z.literal('botConversaAtiva'), dados: eventos.botConversaAtiva }),
  z.object({ evento: z.literal('novaConversaHumana'), dados: eventos.novaConversaHumana }),
  z.object({ evento: z.literal('mensagemConversaHumana'), dados: eventos.mensagemConversaHumana }),
  z.object({ evento: z.literal('conversaAssumida'), dados: eventos.conversaAssumida }),
  z.object({ evento: z.literal('conversaFinalizada'), dados: eventos.conversaFinalizada }),
  z.object({ evento: z.literal('conversaTransferida'), dados: eventos.conversaTransferida }),
  z.object({ evento: z.literal('clienteDigitando'), dados: eventos.clienteDigitando }),
  z.object({ evento: z.literal('operadorStatusChange'), dados: eventos.operadorStatusChange }),
])

/** Anything from the wire → an event, or null when its name or its payload is not in the contract. Never throws. */
export function parseEvento(evento: string, dados: unknown): EventoServidor | null {
  const lido = eventoServidorSchema.safeParse({ evento, dados })
  return lido.success ? lido.data : null
}
