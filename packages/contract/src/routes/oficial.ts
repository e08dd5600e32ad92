import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { oficialEntradaSchema, oficialSchema } from '#entities/oficial.ts'

/** The number at Meta, for who configures. Keys leave masked. */
export const oficialRoute = defineRoute({
  method: 'GET',
  path: '/whatsapp-oficial',
  permissao: 'configuracaoGeral',
  response: z.object({ oficial: oficialSchema }),
  erroPadrao: 'Erro ao carregar a API oficial',
})

/** Takes effect when the bot starts next, or when Meta refuses what a running one uses. */
export const salvarOficialRoute = defineRoute({
  method: 'PUT',
  path: '/whatsapp-oficial',
  permissao: 'configuracaoGeral',
  body: oficialEntradaSchema,
  response: z.object({ oficial: oficialSchema }),
  erroPadrao: 'Erro ao salvar a API oficial',
})
