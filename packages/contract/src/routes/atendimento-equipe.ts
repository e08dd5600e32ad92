import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { relatorioSchema } from '#entities/relatorio.ts'
import { respostaRapidaSchema } from '#entities/resposta-rapida.ts'

/** What the people who answer share: numbers of some days and quick replies. */

/** Both days included, at most 366; without them the last 30 days up to today. */
export const relatorioRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/relatorio',
  permissao: 'atendimentoHumano',
  query: z.object({ de: z.optional(z.iso.date()), ate: z.optional(z.iso.date()) }),
  response: relatorioSchema,
  erroPadrao: 'Erro ao carregar relatório',
})

const respostas = z.object({
  respostas: z.array(respostaRapidaSchema).check(z.maxLength(100)),
  /** What tells this list from any other: sent back when it is saved. */
  versao: z.optional(z.string().check(z.maxLength(64))),
})

export const respostasRapidasRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/respostas-rapidas',
  permissao: 'atendimentoHumano',
  response: respostas,
  erroPadrao: 'Erro ao carregar respostas rápidas',
})

/**
 * The whole list, all or nothing; in the order given. With the `versao` that was read, a list that somebody else saved meanwhile is
 * not overwritten: `conflito`. Without it the last one wins.
 */
export const salvarRespostasRapidasRoute = defineRoute({
  method: 'PUT',
  path: '/atendimento/respostas-rapidas',
  permissao: 'atendimentoHumano',
  body: respostas,
  response: respostas,
  erroPadrao: 'Erro ao salvar respostas rápidas',
})
