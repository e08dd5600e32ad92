import * as z from 'zod/mini'
import { LOGS_MANTIDOS } from '#constants.ts'
import { defineRoute } from '#define-route.ts'
import { avaliacaoStatsSchema } from '#entities/avaliacao.ts'
import { idSchema, mensagemRespostaSchema, sucessoSchema, textoObrigatorioSchema } from '#entities/comum.ts'
import {
  atendimentoEstatisticasSchema,
  conversaSchema,
  fichaDoClienteSchema,
  statusConversaSchema,
} from '#entities/conversa.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { idParamsSchema, paginaSchema, proximoCursorSchema } from './comum.ts'

const setorEscolhido = z.string('Escolha um setor').check(z.minLength(1, 'Escolha um setor'), z.maxLength(80))
const umaConversa = z.object({ conversa: conversaSchema })
const umaMensagem = z.object({ mensagem: mensagemSchema, conversaId: z.string() })

/** Latest activity first. Without `status`, or with `todos`: all that are not finished. */
export const conversasHumanasRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas',
  permissao: 'atendimentoHumano',
  query: z.extend(paginaSchema, {
    status: z.optional(z.union([z.literal('todos'), statusConversaSchema])),
    setor: z.optional(z.string().check(z.maxLength(80))),
    busca: z.optional(z.string().check(z.maxLength(120))),
    /** Number of latest messages in each conversa. `ultimaMensagem` is always included. */
    mensagens: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(LOGS_MANTIDOS))),
  }),
  response: z.object({ conversas: z.array(conversaSchema), proximoCursor: proximoCursorSchema }),
  erroPadrao: 'Erro ao carregar conversas',
})

export const conversaHumanaRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas/:id',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  response: umaConversa,
  erroPadrao: 'Erro ao carregar conversas',
})

/** Pages from the end: messages within a page are oldest first, `proximoCursor` leads to older pages. */
export const mensagensDaConversaRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas/:id/mensagens',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  query: paginaSchema,
  response: z.object({ mensagens: z.array(mensagemSchema), proximoCursor: proximoCursorSchema }),
  erroPadrao: 'Erro ao carregar mensagens',
})

export const fichaDoClienteRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas/:id/cliente',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  response: fichaDoClienteSchema,
  erroPadrao: 'Erro ao carregar dados do cliente',
})

/**
 * 200 means stored; delivery is reported later by events. A repeated `idTemporario` is the same message. `citadaId`
 * is the quoted message of this conversa; throws `mensagemForaDeAlcance` when the service cannot quote it.
 */
export const enviarMensagemRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/mensagem',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({
    mensagem: textoObrigatorioSchema,
    idTemporario: z.optional(idSchema),
    citadaId: z.optional(idSchema),
  }),
  response: z.extend(umaMensagem, { idTemporario: z.optional(z.string()) }),
  erroPadrao: 'Erro ao enviar mensagem',
})

export const reenviarMensagemRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/mensagens/:id/reenviar',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  response: umaMensagem,
  erroPadrao: 'Erro ao enviar mensagem',
})

/** Shows 'digitando…' on the customer's phone for a moment, if the service supports it. Not stored and not counted. */
export const digitandoRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/digitando',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  response: sucessoSchema,
  erroPadrao: 'Erro ao enviar mensagem',
})

export const assumirConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/assumir',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  response: umaConversa,
  erroPadrao: 'Erro ao assumir conversa',
})

export const finalizarConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/finalizar',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  response: umaConversa,
  erroPadrao: 'Erro ao finalizar conversa',
})

export const transferirConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/transferir',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({ setor: setorEscolhido }),
  response: umaConversa,
  erroPadrao: 'Erro ao transferir conversa',
})

/** Returns the conversa to the bot. It leaves the list like a finished one. */
export const devolverConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/devolver',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  response: umaConversa,
  erroPadrao: 'Erro ao devolver conversa ao bot',
})

export const estatisticasAtendimentoRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/estatisticas',
  permissao: 'atendimentoHumano',
  response: atendimentoEstatisticasSchema,
  erroPadrao: 'Erro ao carregar estatísticas',
})

export const testeConversaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/teste-conversa',
  permissao: 'atendimentoHumano',
  body: z.object({ setor: z._default(setorEscolhido, 'vendas') }),
  response: umaConversa,
  erroPadrao: 'Erro ao criar conversa de teste',
})

export const avaliacoesRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/avaliacoes',
  permissao: 'atendimentoHumano',
  response: avaliacaoStatsSchema,
  erroPadrao: 'Erro ao carregar avaliações',
})

/** Sends the rating question to a contato as a test. Works while the bot is stopped. */
export const testeAvaliacaoRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/teste-avaliacao',
  permissao: 'atendimentoHumano',
  body: z.object({
    whatsappId: z.string('Informe o telefone').check(z.trim(), z.minLength(1, 'Informe o telefone'), z.maxLength(100)),
  }),
  response: mensagemRespostaSchema,
  erroPadrao: 'Erro ao testar sistema de avaliação',
})
