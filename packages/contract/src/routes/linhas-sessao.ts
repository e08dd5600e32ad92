import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { botStatusSchema } from '#entities/bot-status.ts'
import { instantSchema } from '#entities/common.ts'
import { oficialInputSchema, oficialSchema } from '#entities/oficial.ts'
import { simulatedPhoneSchema } from '#entities/simulador.ts'
import { idParamsSchema } from './common.ts'

/** The session of one line, as the routes of `/bot` and `/whatsapp-oficial` for the main one. */

const statusResponse = z.extend(botStatusSchema, { mensagem: z.string() })

/** `qrCode` only for people with `configuracaoGeral`. */
export const statusDaLinhaRoute = defineRoute({
  method: 'GET',
  path: '/linhas/:id/status',
  permission: 'logado',
  params: idParamsSchema,
  response: botStatusSchema,
  fallbackError: 'Erro ao verificar a linha',
})

export const iniciarLinhaRoute = defineRoute({
  method: 'POST',
  path: '/linhas/:id/iniciar',
  permission: 'configuracaoGeral',
  params: idParamsSchema,
  response: statusResponse,
  fallbackError: 'Erro ao iniciar a linha',
})

export const pararLinhaRoute = defineRoute({
  method: 'POST',
  path: '/linhas/:id/parar',
  permission: 'configuracaoGeral',
  params: idParamsSchema,
  response: statusResponse,
  fallbackError: 'Erro ao parar a linha',
})

export const limparSessaoDaLinhaRoute = defineRoute({
  method: 'POST',
  path: '/linhas/:id/limpar-sessao',
  permission: 'configuracaoGeral',
  params: idParamsSchema,
  response: statusResponse,
  fallbackError: 'Falha ao limpar sessão',
})

export const codigoDaLinhaRoute = defineRoute({
  method: 'POST',
  path: '/linhas/:id/codigo',
  permission: 'configuracaoGeral',
  params: idParamsSchema,
  body: z.object({ telefone: simulatedPhoneSchema }),
  response: z.object({ codigo: z.string(), expiraEm: instantSchema }),
  fallbackError: 'Erro ao gerar o código',
})

export const oficialDaLinhaRoute = defineRoute({
  method: 'GET',
  path: '/linhas/:id/oficial',
  permission: 'configuracaoGeral',
  params: idParamsSchema,
  response: z.object({ oficial: oficialSchema }),
  fallbackError: 'Erro ao carregar a API oficial',
})

/** Takes effect at the next start of the line, or when Meta refuses the keys of a running one. */
export const salvarOficialDaLinhaRoute = defineRoute({
  method: 'PUT',
  path: '/linhas/:id/oficial',
  permission: 'configuracaoGeral',
  params: idParamsSchema,
  body: oficialInputSchema,
  response: z.object({ oficial: oficialSchema }),
  fallbackError: 'Erro ao salvar a API oficial',
})
