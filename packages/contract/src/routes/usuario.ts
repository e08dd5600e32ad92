import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { usuarioComEstatisticasSchema } from '#entities/usuario.ts'

export const usuarioEstatisticasRoute = defineRoute({
  method: 'GET',
  path: '/usuario/estatisticas',
  permissao: 'logado',
  response: z.object({ sucesso: z.literal(true), usuario: usuarioComEstatisticasSchema }),
  erroPadrao: 'Erro ao carregar estatísticas',
})
