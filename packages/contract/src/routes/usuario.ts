import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { usuarioWithStatsSchema } from '#entities/usuario.ts'

export const usuarioEstatisticasRoute = defineRoute({
  method: 'GET',
  path: '/usuario/estatisticas',
  permission: 'logado',
  response: z.object({ sucesso: z.literal(true), usuario: usuarioWithStatsSchema }),
  fallbackError: 'Erro ao carregar estatísticas',
})
