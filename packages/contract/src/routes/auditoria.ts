import * as z from 'zod/mini'
import { RESULTADOS_AUDITORIA } from '#administration.ts'
import { defineRoute } from '#define-route.ts'
import { acaoAuditoriaSchema, atoSchema, periodoAuditoriaSchema } from '#entities/auditoria.ts'
import { pageSchema, nextCursorSchema } from './common.ts'

/** Newest first. `quem` matches part of a name or e-mail of author or target, or an IP address. */
export const auditoriaRoute = defineRoute({
  method: 'GET',
  path: '/admin/auditoria',
  permission: 'admin',
  query: z.extend(pageSchema, {
    acao: z.optional(acaoAuditoriaSchema),
    quem: z.optional(z.string().check(z.trim(), z.maxLength(120))),
    periodo: z.optional(periodoAuditoriaSchema),
    resultado: z.optional(z.enum(RESULTADOS_AUDITORIA)),
  }),
  response: z.object({ atos: z.array(atoSchema), proximoCursor: nextCursorSchema }),
  fallbackError: 'Erro ao carregar dados',
})
