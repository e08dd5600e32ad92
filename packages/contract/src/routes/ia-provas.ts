import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { iaSchema } from '#entities/config.ts'
import { provaInputSchema, provaPatchSchema, provaSchema, resultadoProvaSchema } from '#entities/prova.ts'
import { idParamsSchema } from './common.ts'

const provaResponse = z.object({ prova: provaSchema })

/** At most 300, in the order in which they were made. */
export const provasRoute = defineRoute({
  method: 'GET',
  path: '/ia/provas',
  permission: 'iaChatbot',
  response: z.object({ provas: z.array(provaSchema), proximoCursor: z.null() }),
  fallbackError: 'Erro ao carregar as provas',
})

/** Throws `limiteDeItens` above 300. */
export const criarProvaRoute = defineRoute({
  method: 'POST',
  path: '/ia/provas',
  permission: 'iaChatbot',
  body: provaInputSchema,
  response: provaResponse,
  status: 201,
  fallbackError: 'Erro ao criar a prova',
})

/** A changed question loses its result. */
export const atualizarProvaRoute = defineRoute({
  method: 'PUT',
  path: '/ia/provas/:id',
  permission: 'iaChatbot',
  params: idParamsSchema,
  body: provaPatchSchema,
  response: provaResponse,
  fallbackError: 'Erro ao salvar a prova',
})

export const excluirProvaRoute = defineRoute({
  method: 'DELETE',
  path: '/ia/provas/:id',
  permission: 'iaChatbot',
  params: idParamsSchema,
  fallbackError: 'Erro ao excluir a prova',
})

/**
 * Makes the questions that follow from catalogue, hours and setores, and the built-in ones. A repeated call adds only
 * new ones, and corrects generated ones that no person edited. Stops at 300.
 */
export const gerarProvasRoute = defineRoute({
  method: 'POST',
  path: '/ia/provas/gerar',
  permission: 'iaChatbot',
  response: z.object({ criadas: z.int() }),
  fallbackError: 'Erro ao gerar as provas',
})

/**
 * Asks the draft, or the stored settings without `ia`. A question with a result of this draft is not asked again, so
 * that a repeated request continues an interrupted one. A question that the provider did not answer failed, and the
 * next request asks it again. `tokens`: used by this request. Throws `iaSemChave`.
 */
export const executarProvasRoute = defineRoute({
  method: 'POST',
  path: '/ia/provas/executar',
  permission: 'iaChatbot',
  body: z.object({ ia: z.optional(z.partial(iaSchema)) }),
  response: z.object({
    resultados: z.array(resultadoProvaSchema),
    passaram: z.int(),
    falharam: z.int(),
    tokens: z.int(),
  }),
  fallbackError: 'Erro ao executar as provas',
})
