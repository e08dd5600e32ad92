import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { atendimentoStatsSchema } from '#entities/atendimento-stats.ts'
import { setorSchema } from '#entities/config.ts'

export const estatisticasAtendimentoRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/estatisticas',
  permission: 'atendimentoHumano',
  response: atendimentoStatsSchema,
  fallbackError: 'Erro ao carregar estatísticas',
})

/** `pessoas`: active people who serve the setor. `online`: those who have a window. Absent: the server is older. */
const listedSetorSchema = z.extend(setorSchema, { pessoas: z.optional(z.int()), online: z.optional(z.int()) })
export type ListedSetor = z.infer<typeof listedSetorSchema>

export const setoresRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/setores',
  permission: 'atendimentoHumano',
  response: z.object({ setores: z.array(listedSetorSchema) }),
  fallbackError: 'Erro ao carregar setores',
})
