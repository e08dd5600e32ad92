import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idSchema, requiredTextSchema } from '#entities/common.ts'
import { conferirApagadoSchema } from '#entities/contato.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { conversaResponse } from './atendimento.ts'
import { chosenSetorSchema } from './atendimento-conversa.ts'
import { idParamsSchema } from './common.ts'

/**
 * Opens a conversa with a contato and gives it to the caller. The bot's part ends. With an open conversa throws
 * `conversaAberta`. With `mensagem` and a closed reply window throws `janelaFechada` and opens nothing.
 */
export const iniciarConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas',
  permission: 'atendimentoHumano',
  body: z
    .object({
      contatoId: z.optional(idSchema),
      /** Any usual spelling. A number without a country code is Brazilian. */
      telefone: z.optional(z.string('Informe o telefone').check(z.trim(), z.maxLength(40))),
      nome: z.optional(z.string().check(z.trim(), z.maxLength(120))),
      conferirApagado: conferirApagadoSchema,
      /** Default: the first setor of the operador, otherwise Geral. */
      setor: z.optional(chosenSetorSchema),
      mensagem: z.optional(requiredTextSchema),
      /** Default: the line of the contato's last conversa, else the main one. */
      linhaId: z.optional(idSchema),
    })
    .check(
      z.refine(({ contatoId, telefone }) => (contatoId === undefined) !== (telefone === undefined), {
        message: 'Escolha um contato ou informe o telefone',
        path: ['telefone'],
      }),
    ),
  response: z.extend(conversaResponse, { mensagem: z.optional(mensagemSchema) }),
  status: 201,
  fallbackError: 'Erro ao iniciar conversa',
})

/**
 * Opens a finished conversa again and gives it to the caller. Throws `reabrirVencida` 7 days after its end and
 * `conversaAberta` if the contato has another open one.
 */
export const reabrirConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/reabrir',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: conversaResponse,
  fallbackError: 'Erro ao reabrir conversa',
})

/**
 * Takes back the caller's last act: an end whose farewell has not left, or a take, transfer or release. The wait and
 * the place in the queue are as before. Throws `desfazerVencido` 2 minutes after the act, and after a message or
 * another act.
 */
export const desfazerConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/desfazer',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: conversaResponse,
  fallbackError: 'Erro ao desfazer',
})

/** Returns the conversa to the queue of its setor. Throws `semPermissao` for other operadores than its own. */
export const soltarConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/soltar',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: conversaResponse,
  fallbackError: 'Erro ao devolver conversa à fila',
})
