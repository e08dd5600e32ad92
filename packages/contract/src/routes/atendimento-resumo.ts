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

export const setoresRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/setores',
  permission: 'atendimentoHumano',
  response: z.object({ setores: z.array(setorSchema) }),
  fallbackError: 'Erro ao carregar setores',
})
