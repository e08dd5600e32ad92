import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { sucessoSchema } from '#entities/comum.ts'
import { mensagemSimuladaEntradaSchema, mensagemSimuladaSchema, telefoneSimuladoSchema } from '#entities/simulador.ts'

/** The simulated phone of a customer, used by the page `/simulador`. */

/** Scans the current QR code. 409 when there is none. */
export const escanearRoute = defineRoute({
  method: 'POST',
  path: '/simulador/escanear',
  permissao: 'configuracaoGeral',
  response: sucessoSchema,
  erroPadrao: 'Erro ao escanear o QR Code',
})

/** 202 means stored. With a file the body is multipart: the same fields and `arquivo`, or `imagem` for pictures. */
export const enviarSimuladaRoute = defineRoute({
  method: 'POST',
  path: '/simulador/mensagens',
  permissao: 'configuracaoGeral',
  body: mensagemSimuladaEntradaSchema,
  response: z.object({ id: z.string() }),
  status: 202,
  erroPadrao: 'Erro ao enviar mensagem',
})

export const mensagensSimuladasRoute = defineRoute({
  method: 'GET',
  path: '/simulador/mensagens',
  permissao: 'configuracaoGeral',
  query: z.object({ telefone: telefoneSimuladoSchema }),
  response: z.object({ mensagens: z.array(mensagemSimuladaSchema) }),
  erroPadrao: 'Erro ao carregar mensagens',
})

/** Reports that the customer is typing. 409 while the bot is disconnected. */
export const digitandoSimuladoRoute = defineRoute({
  method: 'POST',
  path: '/simulador/digitando',
  permissao: 'configuracaoGeral',
  body: z.object({ telefone: telefoneSimuladoSchema }),
  response: sucessoSchema,
  erroPadrao: 'Erro ao enviar mensagem',
})

export const desconectarSimuladorRoute = defineRoute({
  method: 'POST',
  path: '/simulador/desconectar',
  permissao: 'configuracaoGeral',
  response: sucessoSchema,
  erroPadrao: 'Erro ao desconectar',
})

/** Makes the next `envios` sends fail, for training and tests. */
export const falhasSimuladorRoute = defineRoute({
  method: 'POST',
  path: '/simulador/falhas',
  permissao: 'configuracaoGeral',
  body: z.object({ envios: z.int().check(z.gte(0), z.lte(1000)) }),
  response: z.object({ envios: z.int() }),
  erroPadrao: 'Erro ao programar falhas',
})
