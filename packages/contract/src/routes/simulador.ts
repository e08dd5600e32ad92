import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { successSchema } from '#entities/common.ts'
import {
  mensagemSimuladaInputSchema,
  mensagemSimuladaSchema,
  simulatedLineSchema,
  simulatedPhoneSchema,
} from '#entities/simulador.ts'

/** The simulated phone of a customer, used by the page `/simulador`. */

/** Scans the current QR code. 409 when there is none. */
export const escanearRoute = defineRoute({
  method: 'POST',
  path: '/simulador/escanear',
  permission: 'configuracaoGeral',
  query: simulatedLineSchema,
  body: simulatedLineSchema,
  response: successSchema,
  fallbackError: 'Erro ao escanear o QR Code',
})

/** 202 means stored. With a file the body is multipart: the same fields and `arquivo`, or `imagem` for pictures. */
export const enviarSimuladaRoute = defineRoute({
  method: 'POST',
  path: '/simulador/mensagens',
  permission: 'configuracaoGeral',
  query: simulatedLineSchema,
  body: mensagemSimuladaInputSchema,
  response: z.object({ id: z.string() }),
  status: 202,
  fallbackError: 'Erro ao enviar mensagem',
})

export const mensagensSimuladasRoute = defineRoute({
  method: 'GET',
  path: '/simulador/mensagens',
  permission: 'configuracaoGeral',
  query: z.extend(simulatedLineSchema, { telefone: simulatedPhoneSchema }),
  response: z.object({ mensagens: z.array(mensagemSimuladaSchema) }),
  fallbackError: 'Erro ao carregar mensagens',
})

/** Reports that the customer is typing. 409 while the bot is disconnected. */
export const digitandoSimuladoRoute = defineRoute({
  method: 'POST',
  path: '/simulador/digitando',
  permission: 'configuracaoGeral',
  query: simulatedLineSchema,
  body: z.extend(simulatedLineSchema, { telefone: simulatedPhoneSchema }),
  response: successSchema,
  fallbackError: 'Erro ao enviar mensagem',
})

export const desconectarSimuladorRoute = defineRoute({
  method: 'POST',
  path: '/simulador/desconectar',
  permission: 'configuracaoGeral',
  query: simulatedLineSchema,
  body: simulatedLineSchema,
  response: successSchema,
  fallbackError: 'Erro ao desconectar',
})

/** Makes the next `envios` sends fail, for training and tests. */
export const falhasSimuladorRoute = defineRoute({
  method: 'POST',
  path: '/simulador/falhas',
  permission: 'configuracaoGeral',
  query: simulatedLineSchema,
  body: z.extend(simulatedLineSchema, { envios: z.int().check(z.gte(0), z.lte(1000)) }),
  response: z.object({ envios: z.int() }),
  fallbackError: 'Erro ao programar falhas',
})
