import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { conversaBotSchema } from '#entities/conversa.ts'
import { logSchema, tipoLogSchema } from '#entities/log.ts'
import { mensagemBotSchema } from '#entities/mensagem-bot.ts'
import { nextCursorSchema, ofLineSchema, pageSchema } from './common.ts'

/** `agendadas`: waiting scheduled messages of all conversas that `limparConversas` deletes. Absent: an older server. */
export const conversasRoute = defineRoute({
  method: 'GET',
  path: '/conversas',
  permission: 'logsStatus',
  query: z.extend(pageSchema, ofLineSchema.shape),
  response: z.object({
    conversas: z.array(conversaBotSchema),
    proximoCursor: nextCursorSchema,
    agendadas: z.optional(z.int()),
  }),
  fallbackError: 'Erro ao carregar conversas',
})

/**
 * Deletes finished conversas and those only with the bot, never open ones with people. `agendadas`: waiting scheduled
 * messages that went with them. Absent: an older server.
 */
export const limparConversasRoute = defineRoute({
  method: 'DELETE',
  path: '/conversas',
  permission: 'logsStatus',
  stepUp: true,
  response: z.object({ sucesso: z.literal(true), removidas: z.int(), agendadas: z.optional(z.int()) }),
  fallbackError: 'Erro ao limpar conversas',
})

export const mensagensRoute = defineRoute({
  method: 'GET',
  path: '/mensagens',
  permission: 'logsStatus',
  query: z.extend(pageSchema, ofLineSchema.shape),
  response: z.object({ mensagens: z.array(mensagemBotSchema), proximoCursor: nextCursorSchema }),
  fallbackError: 'Erro ao carregar mensagens',
})

/** Periods of the log filter, in the account's time zone. */
export const periodoLogSchema = z.enum(['hoje', 'ontem', 'semana', 'mes', 'todos'])
export type PeriodoLog = z.infer<typeof periodoLogSchema>

export const logsRoute = defineRoute({
  method: 'GET',
  path: '/logs',
  permission: 'logsStatus',
  query: z.extend(pageSchema, {
    ...ofLineSchema.shape,
    tipo: z.optional(tipoLogSchema),
    busca: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    periodo: z.optional(periodoLogSchema),
  }),
  response: z.object({ logs: z.array(logSchema), proximoCursor: nextCursorSchema }),
  fallbackError: 'Erro ao carregar logs',
})

export const healthRoute = defineRoute({
  method: 'GET',
  path: '/health',
  permission: 'publico',
  response: z.object({ sucesso: z.literal(true) }),
  fallbackError: 'Não foi possível conectar ao backend',
})
