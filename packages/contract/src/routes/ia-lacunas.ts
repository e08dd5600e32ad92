import * as z from 'zod/mini'
import { LACUNAS_DIAS } from '#constants.ts'
import { defineRoute } from '#define-route.ts'
import { lacunaSchema } from '#entities/lacuna.ts'

/** Days to look back. */
const dias = z._default(
  z.coerce
    .number('Escolha de 1 a 90 dias')
    .check(z.int('Escolha de 1 a 90 dias'), z.gte(1, 'Escolha de 1 a 90 dias'), z.lte(90, 'Escolha de 1 a 90 dias')),
  LACUNAS_DIAS,
)

/** Questions of customers without an answer of the bot, those of most people first. Ignored ones are left out. */
export const lacunasRoute = defineRoute({
  method: 'GET',
  path: '/ia/lacunas',
  permission: 'iaChatbot',
  query: z.object({ dias }),
  response: z.object({
    lacunas: z.array(lacunaSchema),
    /** Texts that were compared. */
    analisadas: z.int(),
  }),
  fallbackError: 'Erro ao carregar as perguntas sem resposta',
})

/** The gap stays out of the list when more people ask. `dias` is that of the list that named the gap. */
export const ignorarLacunaRoute = defineRoute({
  method: 'POST',
  path: '/ia/lacunas/:id/ignorar',
  permission: 'iaChatbot',
  params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{16}$/)) }),
  query: z.object({ dias }),
  fallbackError: 'Erro ao ignorar a pergunta',
})
