import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { botStatusSchema } from '#entities/bot-status.ts'

/** The session (spec §7 "Bot"). `/bot/configuracao` stands with the configuration. */

const statusComMensagem = z.extend(botStatusSchema, { mensagem: z.string() })

/** Answers at once; the code and the connection come over the socket and `/bot/status`. */
export const iniciarBotRoute = defineRoute({
  method: 'POST',
  path: '/bot/iniciar',
  permissao: 'configuracaoGeral',
  response: statusComMensagem,
  erroPadrao: 'Erro ao iniciar bot',
})

export const pararBotRoute = defineRoute({
  method: 'POST',
  path: '/bot/parar',
  permissao: 'configuracaoGeral',
  response: statusComMensagem,
  erroPadrao: 'Erro ao parar bot',
})

export const botStatusRoute = defineRoute({
  method: 'GET',
  path: '/bot/status',
  permissao: 'logado',
  response: botStatusSchema,
  erroPadrao: 'Erro ao verificar status do bot',
})

/** Stops the bot if it runs and forgets the phone: the next start shows a new code. */
export const limparSessaoRoute = defineRoute({
  method: 'POST',
  path: '/bot/limpar-sessao',
  permissao: 'configuracaoGeral',
  response: statusComMensagem,
  erroPadrao: 'Falha ao limpar sessão',
})
