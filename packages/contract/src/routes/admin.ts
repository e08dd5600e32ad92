import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import {
  adminConfiguracoesParciaisSchema,
  adminConfiguracoesSchema,
  adminStatsSchema,
  atividadeSchema,
  emailEnviadoSchema,
} from '#entities/admin.ts'
import { sistemaAdminSchema } from '#entities/sistema-admin.ts'
import { paginaSchema, proximoCursorSchema } from './comum.ts'

export const adminStatsRoute = defineRoute({
  method: 'GET',
  path: '/admin/stats',
  permissao: 'admin',
  response: adminStatsSchema,
  erroPadrao: 'Erro ao carregar dados',
})

/** The five users with the latest activity. */
export const adminAtividadeRoute = defineRoute({
  method: 'GET',
  path: '/admin/atividade',
  permissao: 'admin',
  response: z.object({ atividades: z.array(atividadeSchema) }),
  erroPadrao: 'Erro ao carregar dados',
})

export const adminSistemaRoute = defineRoute({
  method: 'GET',
  path: '/admin/sistema',
  permissao: 'admin',
  response: sistemaAdminSchema,
  erroPadrao: 'Erro ao carregar dados',
})

export const adminConfiguracoesRoute = defineRoute({
  method: 'GET',
  path: '/admin/configuracoes',
  permissao: 'admin',
  response: adminConfiguracoesSchema,
  erroPadrao: 'Erro ao carregar dados',
})

export const salvarAdminConfiguracoesRoute = defineRoute({
  method: 'PUT',
  path: '/admin/configuracoes',
  permissao: 'admin',
  body: adminConfiguracoesParciaisSchema,
  response: adminConfiguracoesSchema,
  erroPadrao: 'Erro ao salvar alterações',
})

export const adminEmailsRoute = defineRoute({
  method: 'GET',
  path: '/admin/emails',
  permissao: 'admin',
  query: paginaSchema,
  response: z.object({ emails: z.array(emailEnviadoSchema), proximoCursor: proximoCursorSchema }),
  erroPadrao: 'Erro ao carregar dados',
})
