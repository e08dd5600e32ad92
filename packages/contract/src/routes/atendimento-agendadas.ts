import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { agendadaSchema } from '#entities/agendada.ts'
import { instantSchema, requiredTextSchema } from '#entities/common.ts'
import { idParamsSchema, listCursorSchema, listQuerySchema } from './common.ts'

/** `enviarEm` is 1 minute to 90 days ahead. A finished conversa is at most 7 days old and is reopened at that time. */
export const agendarMensagemRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/agendadas',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({
    mensagem: requiredTextSchema,
    enviarEm: instantSchema,
    cancelarSeResponder: z._default(z.boolean(), true),
  }),
  response: z.object({ agendada: agendadaSchema }),
  status: 201,
  fallbackError: 'Erro ao agendar mensagem',
})

export const agendadasRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas/:id/agendadas',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  query: listQuerySchema,
  response: z.object({ agendadas: z.array(agendadaSchema), proximoCursor: listCursorSchema }),
  fallbackError: 'Erro ao carregar mensagens agendadas',
})

/** Cancels a waiting one. A cancelled one stays as it is; one that was sent or failed gives `conflito`. */
export const cancelarAgendadaRoute = defineRoute({
  method: 'DELETE',
  path: '/atendimento/agendadas/:id',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  fallbackError: 'Erro ao cancelar mensagem agendada',
})
