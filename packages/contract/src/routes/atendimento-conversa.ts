import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { avaliacaoStatsSchema } from '#entities/avaliacao.ts'
import {
  idSchema,
  messageResponseSchema,
  successSchema,
  requiredTextSchema,
  idTemporarioSchema,
} from '#entities/common.ts'
import { ESPERA_DESPEDIDA_MAX_S } from '#constants.ts'
import { fichaDoClienteSchema } from '#entities/conversa.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { conversaResponse } from './atendimento.ts'
import { idParamsSchema } from './common.ts'

export const chosenSetorSchema = z.string('Escolha um setor').check(z.minLength(1, 'Escolha um setor'), z.maxLength(80))
const mensagemResponse = z.object({ mensagem: mensagemSchema, conversaId: z.string() })

export const fichaDoClienteRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas/:id/cliente',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: fichaDoClienteSchema,
  fallbackError: 'Erro ao carregar dados do cliente',
})

/**
 * 200 means stored; delivery is reported later by events. A repeated `idTemporario` is the same message. `citadaId`
 * is the quoted message of this conversa; throws `mensagemForaDeAlcance` when the service cannot quote it.
 */
export const enviarMensagemRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/mensagem',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({
    mensagem: requiredTextSchema,
    idTemporario: z.optional(idTemporarioSchema),
    citadaId: z.optional(idSchema),
  }),
  response: z.extend(mensagemResponse, { idTemporario: z.optional(z.string()) }),
  fallbackError: 'Erro ao enviar mensagem',
})

export const reenviarMensagemRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/mensagens/:id/reenviar',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: mensagemResponse,
  fallbackError: 'Erro ao enviar mensagem',
})

/**
 * Shows 'digitando…' on the customer's phone for a moment, if the service supports it. Not stored and not counted. A
 * signal behind an end or behind a faster colleague is accepted and does nothing.
 */
export const digitandoRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/digitando',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: successSchema,
  fallbackError: 'Erro ao enviar mensagem',
})

/**
 * Throws `conversaAssumida` if another person serves it. With `deColega` the owner and administrators take it from that
 * person, and a nota names both.
 */
export const assumirConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/assumir',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({ deColega: z.optional(z.boolean()) }),
  response: conversaResponse,
  fallbackError: 'Erro ao assumir conversa',
})

/**
 * `silencioso`: the customer receives neither farewell nor rating. `semAvaliacao`: the farewell alone. The conversa
 * ends immediately. The farewell leaves after `esperaSegundos`, unless the customer begins again or the end is undone.
 */
export const finalizarConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/finalizar',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({
    silencioso: z.optional(z.boolean()),
    semAvaliacao: z.optional(z.boolean()),
    esperaSegundos: z.optional(z.int().check(z.minimum(0), z.maximum(ESPERA_DESPEDIDA_MAX_S))),
  }),
  response: conversaResponse,
  fallbackError: 'Erro ao finalizar conversa',
})

/**
 * Without `operadorId` the conversa waits in the setor. With it that person serves the conversa immediately; throws
 * `operadorForaDoSetor` if the person is inactive or does not serve the setor. `motivo` becomes a nota.
 */
export const transferirConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/transferir',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z
    .object({
      setor: z.optional(chosenSetorSchema),
      operadorId: z.optional(idSchema),
      motivo: z.optional(z.string().check(z.trim(), z.maxLength(500, 'O motivo deve ter no máximo 500 caracteres'))),
    })
    .check(
      z.refine(({ setor, operadorId }) => setor !== undefined || operadorId !== undefined, {
        message: 'Escolha um setor',
        path: ['setor'],
      }),
    ),
  response: conversaResponse,
  fallbackError: 'Erro ao transferir conversa',
})

/** Returns the conversa to the bot. It leaves the list like a finished one. */
export const devolverConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/devolver',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: conversaResponse,
  fallbackError: 'Erro ao devolver conversa ao bot',
})

export const testeConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/teste-conversa',
  permission: 'atendimentoHumano',
  body: z.object({ setor: z._default(chosenSetorSchema, 'vendas') }),
  response: conversaResponse,
  fallbackError: 'Erro ao criar conversa de teste',
})

export const avaliacoesRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/avaliacoes',
  permission: 'atendimentoHumano',
  response: avaliacaoStatsSchema,
  fallbackError: 'Erro ao carregar avaliações',
})

/** Sends the rating question to a contato as a test. Works while the bot is stopped. */
export const testeAvaliacaoRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/teste-avaliacao',
  permission: 'atendimentoHumano',
  body: z.object({
    whatsappId: z.string('Informe o telefone').check(z.trim(), z.minLength(1, 'Informe o telefone'), z.maxLength(100)),
  }),
  response: messageResponseSchema,
  fallbackError: 'Erro ao testar sistema de avaliação',
})
