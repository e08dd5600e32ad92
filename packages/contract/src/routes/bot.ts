import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { botStatusSchema } from '#entities/bot-status.ts'

const statusResponse = z.extend(botStatusSchema, { mensagem: z.string() })

/** Answers immediately. QR code and connection follow by socket event and `GET /bot/status`. */
export const iniciarBotRoute = defineRoute({
  method: 'POST',
  path: '/bot/iniciar',
  permission: 'configuracaoGeral',
  response: statusResponse,
  fallbackError: 'Erro ao iniciar bot',
})

export const pararBotRoute = defineRoute({
  method: 'POST',
  path: '/bot/parar',
  permission: 'configuracaoGeral',
  response: statusResponse,
  fallbackError: 'Erro ao parar bot',
})

export const botStatusRoute = defineRoute({
  method: 'GET',
  path: '/bot/status',
  permission: 'logado',
  response: botStatusSchema,
  fallbackError: 'Erro ao verificar status do bot',
})

/** Stops a running bot and unlinks the phone. The next start shows a new QR code. */
export const limparSessaoRoute = defineRoute({
  method: 'POST',
  path: '/bot/limpar-sessao',
  permission: 'configuracaoGeral',
  response: statusResponse,
  fallbackError: 'Falha ao limpar sessão',
})
