import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { sucessoSchema } from '#entities/comum.ts'
import { mensagemSimuladaEntradaSchema, mensagemSimuladaSchema, telefoneSimuladoSchema } from '#entities/simulador.ts'

/** The customer's phone, played by the page `/simulador` for one's own bot (decisions §4). */

/** The phone scans the code that is shown now; 409 when there is none. */
export const escanearRoute = defineRoute({
  method: 'POST',
  path: '/simulador/escanear',
  permissao: 'configuracaoGeral',
  response: sucessoSchema,
  erroPadrao: 'Erro ao escanear o QR Code',
})

/** 202 means stored for good. With a file the body is multipart: the same fields and `arquivo`, or `imagem` for pictures alone. */
export const enviarSimuladaRoute = defineRoute({
  method: 'POST',
  path: '/simulador/mensagens',
  permissao: 'configuracaoGeral',
  body: mensagemSimuladaEntradaSchema,
  response: z.object({ id: z.string() }),
  status: 202,
  erroPadrao: 'Erro ao enviar mensagem',
})

/** Both sides of one contact's chat, in order. */
export const mensagensSimuladasRoute = defineRoute({
  method: 'GET',
  path: '/simulador/mensagens',
  permissao: 'configuracaoGeral',
  query: z.object({ telefone: telefoneSimuladoSchema }),
  response: z.object({ mensagens: z.array(mensagemSimuladaSchema) }),
  erroPadrao: 'Erro ao carregar mensagens',
})

/** The customer is writing; 409 when the bot is not connected. */
export const digitandoSimuladoRoute = defineRoute({
  method: 'POST',
  path: '/simulador/digitando',
  permissao: 'configuracaoGeral',
  body: z.object({ telefone: telefoneSimuladoSchema }),
  response: sucessoSchema,
  erroPadrao: 'Erro ao enviar mensagem',
})

/** The phone drops the link. */
export const desconectarSimuladorRoute = defineRoute({
  method: 'POST',
  path: '/simulador/desconectar',
  permissao: 'configuracaoGeral',
  response: sucessoSchema,
  erroPadrao: 'Erro ao desconectar',
})

/** The next `envios` sends fail, for training and tests. */
export const falhasSimuladorRoute = defineRoute({
  method: 'POST',
  path: '/simulador/falhas',
  permissao: 'configuracaoGeral',
  body: z.object({ envios: z.int().check(z.gte(0), z.lte(1000)) }),
  response: z.object({ envios: z.int() }),
  erroPadrao: 'Erro ao programar falhas',
})
