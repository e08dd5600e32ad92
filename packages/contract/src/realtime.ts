import * as z from 'zod/mini'
import { botStatusSchema, conversaAtivaSchema, motivoBotSchema, statusBotSchema } from '#entities/bot-status.ts'
import { idSchema, instanteSchema } from '#entities/comum.ts'
import { conversaSchema } from '#entities/conversa.ts'
import { logSchema } from '#entities/log.ts'
import { mensagemBotSchema } from '#entities/mensagem-bot.ts'
import { mensagemSchema } from '#entities/mensagem.ts'

/**
 * Socket.IO events from server to browser. `userId` is the account's id (`contaId`). `seq` grows with every event
 * of an account.
 */

const cabecalho = { userId: idSchema, seq: z.optional(z.int()) }

export const eventos = {
  botStatus: z.extend(botStatusSchema, cabecalho),
  botStatusChange: z.object({ ...cabecalho, status: statusBotSchema, motivo: z.optional(motivoBotSchema) }),
  botQrCode: z.object({ ...cabecalho, qrCode: z.string(), qrExpiraEm: z.optional(instanteSchema) }),
  botLog: z.extend(logSchema, cabecalho),
  /** A new message, or a known `id` with a changed `estado`. */
  botMensagem: z.extend(mensagemBotSchema, cabecalho),
  /** `ativa: false` removes the contato from the list. */
  botConversaAtiva: z.extend(conversaAtivaSchema, { ...cabecalho, ativa: z.optional(z.boolean()) }),
  novaConversaHumana: z.object({ ...cabecalho, conversa: conversaSchema }),
  /** A new message, or a known `mensagem.id` that was delivered, failed, edited or deleted. */
  mensagemConversaHumana: z.object({
    ...cabecalho,
    conversaId: z.string(),
    mensagem: mensagemSchema,
    /** Edited, deleted or reacted to. Clients that do not hold the message ignore the event. */
    marcada: z.optional(z.boolean()),
    /** Temporary id that the sender chose. */
    idTemporario: z.optional(z.string()),
  }),
  /**
   * `naoLidas` is absent when an operator takes the conversa: then all is read. It is present when the removal of a
   * setor moves the conversa.
   */
  conversaAssumida: z.object({
    ...cabecalho,
    conversaId: z.string(),
    operadorId: z.string(),
    operador: z.string(),
    naoLidas: z.optional(z.int()),
  }),
  /** Finished or returned to the bot. Clients remove it from the list. */
  conversaFinalizada: z.object({ ...cabecalho, conversaId: z.string() }),
  conversaTransferida: z.object({ ...cabecalho, conversaId: z.string(), novoSetor: z.string() }),
  /** Sent only by services that report typing. Clients show it for a few seconds. */
  clienteDigitando: z.object({ ...cabecalho, conversaId: z.string() }),
  operadorStatusChange: z.object({
    ...cabecalho,
    operadorId: z.string(),
    operador: z.string(),
    status: z.enum(['online', 'offline']),
  }),
} as const

export type NomeEvento = keyof typeof eventos

export type EventosServidor = { [N in NomeEvento]: z.infer<(typeof eventos)[N]> }

/** The same events as Socket.IO's type parameter: `new Server<{}, EventosSocket>()`, `Socket<EventosSocket>`. */
export type EventosSocket = { [N in NomeEvento]: (dados: EventosServidor[N]) => void }

/** A received event, discriminated by `evento`. */
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

/** Validates an event from the wire. Returns null for an unknown name or an invalid payload. Never throws. */
export function parseEvento(evento: string, dados: unknown): EventoServidor | null {
  const lido = eventoServidorSchema.safeParse({ evento, dados })
  return lido.success ? lido.data : null
}
