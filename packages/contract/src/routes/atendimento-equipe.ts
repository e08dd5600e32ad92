import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { atendenteSchema } from '#entities/operador.ts'
import { relatorioSchema } from '#entities/relatorio.ts'
import { respostaRapidaSchema } from '#entities/resposta-rapida.ts'
import { ofLineSchema } from './common.ts'

/** Both days are included, at most 366 days. Default: the last 30 days up to today. */
export const relatorioRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/relatorio',
  permission: 'atendimentoHumano',
  query: z.extend(ofLineSchema, { de: z.optional(z.iso.date()), ate: z.optional(z.iso.date()) }),
  response: relatorioSchema,
  fallbackError: 'Erro ao carregar relatório',
})

/** The people of the account whom colleagues can mention, filter by and transfer to, in order of their names. */
export const atendentesRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/atendentes',
  permission: 'atendimentoHumano',
  response: z.object({ atendentes: z.array(atendenteSchema) }),
  fallbackError: 'Erro ao carregar pessoas',
})

const quickRepliesBody = z.object({
  respostas: z.array(respostaRapidaSchema).check(z.maxLength(100)),
  /** Identifies the state of the list. Send it back when saving. */
  versao: z.optional(z.string().check(z.maxLength(64))),
})

export const respostasRapidasRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/respostas-rapidas',
  permission: 'atendimentoHumano',
  response: quickRepliesBody,
  fallbackError: 'Erro ao carregar respostas rápidas',
})

/**
 * Replaces the whole list in the given order. With an outdated `versao` the save fails with `conflito`; without
 * `versao` it overwrites.
 */
export const salvarRespostasRapidasRoute = defineRoute({
  method: 'PUT',
  path: '/atendimento/respostas-rapidas',
  permission: 'atendimentoHumano',
  body: quickRepliesBody,
  response: quickRepliesBody,
  fallbackError: 'Erro ao salvar respostas rápidas',
})
