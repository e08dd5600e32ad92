import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import {
  adminConfiguracoesPatchSchema,
  adminConfiguracoesSchema,
  adminStatsSchema,
  atividadeSchema,
  sentEmailSchema,
} from '#entities/admin.ts'
import { restoreDecisionSchema, sistemaAdminSchema } from '#entities/sistema-admin.ts'
import { pageSchema, nextCursorSchema } from './common.ts'

export const adminStatsRoute = defineRoute({
  method: 'GET',
  path: '/admin/stats',
  permission: 'admin',
  response: adminStatsSchema,
  fallbackError: 'Erro ao carregar dados',
})

export const adminAtividadeRoute = defineRoute({
  method: 'GET',
  path: '/admin/atividade',
  permission: 'admin',
  response: z.object({ atividades: z.array(atividadeSchema) }),
  fallbackError: 'Erro ao carregar dados',
})

export const adminSistemaRoute = defineRoute({
  method: 'GET',
  path: '/admin/sistema',
  permission: 'admin',
  response: sistemaAdminSchema,
  fallbackError: 'Erro ao carregar dados',
})

/** Starts a copy of database and files. Its end is in `GET /admin/sistema`. */
export const fazerCopiaRoute = defineRoute({
  method: 'POST',
  path: '/admin/copias',
  permission: 'admin',
  response: z.object({ sucesso: z.literal(true) }),
  status: 202,
  fallbackError: 'Erro ao fazer a cópia',
})

/** Decides about an imported backup. The answer counts the discarded or released messages, mails and due scheduled messages. */
export const liberarCopiaRoute = defineRoute({
  method: 'POST',
  path: '/admin/restauracao',
  permission: 'admin',
  stepUp: true,
  body: z.object({ decisao: restoreDecisionSchema }),
  response: z.object({ mensagens: z.int(), emails: z.int(), agendadas: z._default(z.int(), 0) }),
  fallbackError: 'Erro ao liberar os envios',
})

export const adminConfiguracoesRoute = defineRoute({
  method: 'GET',
  path: '/admin/configuracoes',
  permission: 'admin',
  response: adminConfiguracoesSchema,
  fallbackError: 'Erro ao carregar dados',
})

export const salvarAdminConfiguracoesRoute = defineRoute({
  method: 'PUT',
  path: '/admin/configuracoes',
  permission: 'admin',
  body: adminConfiguracoesPatchSchema,
  response: adminConfiguracoesSchema,
  fallbackError: 'Erro ao salvar alterações',
})

export const adminEmailsRoute = defineRoute({
  method: 'GET',
  path: '/admin/emails',
  permission: 'admin',
  query: pageSchema,
  response: z.object({ emails: z.array(sentEmailSchema), proximoCursor: nextCursorSchema }),
  fallbackError: 'Erro ao carregar dados',
})
