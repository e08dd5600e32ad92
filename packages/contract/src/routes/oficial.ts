import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { oficialEntradaSchema, oficialSchema } from '#entities/oficial.ts'

/** Settings of the number at Meta, with masked keys. */
export const oficialRoute = defineRoute({
  method: 'GET',
  path: '/whatsapp-oficial',
  permissao: 'configuracaoGeral',
  response: z.object({ oficial: oficialSchema }),
  erroPadrao: 'Erro ao carregar a API oficial',
})

/** Takes effect at the next start of the bot, or when Meta refuses the keys of a running bot. */
export const salvarOficialRoute = defineRoute({
  method: 'PUT',
  path: '/whatsapp-oficial',
  permissao: 'configuracaoGeral',
  body: oficialEntradaSchema,
  response: z.object({ oficial: oficialSchema }),
  erroPadrao: 'Erro ao salvar a API oficial',
})
