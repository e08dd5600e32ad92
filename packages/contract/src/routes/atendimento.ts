import * as z from 'zod/mini'
import { LOGS_MANTIDOS } from '#constants.ts'
import { defineRoute } from '#define-route.ts'
import { idSchema } from '#entities/common.ts'
import { contatoComBotSchema, conversaSchema, statusConversaSchema } from '#entities/conversa.ts'
import { arquivoDaConversaSchema, mensagemSchema } from '#entities/mensagem.ts'
import { idParamsSchema, nextCursorSchema, ofLineSchema, pageSchema } from './common.ts'

export const conversaResponse = z.object({ conversa: conversaSchema })

const contatosComBotResponse = z.object({
  conversas: z.array(contatoComBotSchema),
  proximoCursor: z.nullable(z.string()),
})

/**
 * Latest activity first. Without `status`, or with `todos`: all that are not finished. `bot`: the contatos whom the bot
 * serves now.
 */
export const conversasHumanasRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas',
  permission: 'atendimentoHumano',
  query: z.extend(pageSchema, {
    status: z.optional(z.union([z.literal('todos'), z.literal('bot'), statusConversaSchema])),
    /**
     * Open conversas of the caller's view, those without an answer first, longest first, then by latest activity. Pinned
     * ones begin the first page. Conversas with a reminder are only in `todas`. `status` is ignored.
     */
    visao: z.optional(z.enum(['minhas', 'fila', 'mencoes', 'semResposta', 'todas'])),
    setor: z.optional(z.string().check(z.maxLength(80))),
    ...ofLineSchema.shape,
    busca: z.optional(z.string().check(z.maxLength(120))),
    etiqueta: z.optional(idSchema),
    /** `eu`: of the caller. `ninguem`: without an operador. */
    operador: z.optional(z.union([z.literal(['eu', 'ninguem']), idSchema])),
    /**
     * Number of latest messages in each conversa; fewer beyond 1,000 messages or 2 MB of text in the answer.
     * `ultimaMensagem` is always included, at most 500 characters of its text.
     */
    mensagens: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(LOGS_MANTIDOS))),
  }),
  response: z.object({ conversas: z.array(conversaSchema), proximoCursor: nextCursorSchema }),
  otherResponse: { query: { status: 'bot' }, response: contatosComBotResponse },
  fallbackError: 'Erro ao carregar conversas',
})

/** The form of `conversasHumanasRoute` for clients that ask with `status=bot`. */
export const contatosComBotList = defineRoute({ ...conversasHumanasRoute, response: contatosComBotResponse })

export const conversaHumanaRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas/:id',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: conversaResponse,
  fallbackError: 'Erro ao carregar conversas',
})

/** Pages from the end: messages within a page are oldest first, `proximoCursor` leads to older pages. */
export const mensagensDaConversaRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas/:id/mensagens',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  query: pageSchema,
  response: z.object({ mensagens: z.array(mensagemSchema), proximoCursor: nextCursorSchema }),
  fallbackError: 'Erro ao carregar mensagens',
})

/**
 * Files and links of all conversas of the contato that the caller may read, newest first. A page has the entries of 30
 * messages. Deleted files are absent.
 */
export const arquivosDaConversaRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas/:id/arquivos',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  query: z.pick(pageSchema, { cursor: true }),
  response: z.object({ itens: z.array(arquivoDaConversaSchema), proximoCursor: nextCursorSchema }),
  fallbackError: 'Erro ao carregar arquivos',
})
