import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'

/** Whether automatic distribution gives conversas to the caller. Default: true for operators, false for others. */
const body = z.object({ disponivel: z.boolean() })
const common = { path: '/operadores/eu/disponibilidade', permission: 'atendimentoHumano' } as const

export const disponibilidadeRoute = defineRoute({
  ...common,
  method: 'GET',
  /** `automatica`: the distribution of the conta is on. */
  response: z.extend(body, { automatica: z.boolean() }),
  fallbackError: 'Erro ao carregar dados',
})

export const mudarDisponibilidadeRoute = defineRoute({
  ...common,
  method: 'PUT',
  body,
  fallbackError: 'Erro ao mudar a disponibilidade',
})
