import * as z from 'zod/mini'
import { CORES_SETOR } from '#constants.ts'
import { defineRoute } from '#define-route.ts'
import { setorSchema } from '#entities/config.ts'
import { idParamsSchema } from './common.ts'

/** One setor at a time; `PUT /config/setores` writes all. The id is derived from the name. */

const nome = z
  .string('Nome do setor é obrigatório')
  .check(z.trim(), z.minLength(1, 'Nome do setor é obrigatório'), z.maxLength(60))
const color = z.enum(CORES_SETOR)
const setorResponse = z.object({ setor: setorSchema })

export const criarSetorRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/setores',
  permission: 'atendimentoHumano',
  deniesOperators: true,
  body: z.object({ nome, cor: z._default(color, 'blue'), ativo: z._default(z.boolean(), true) }),
  response: setorResponse,
  fallbackError: 'Erro ao criar setor',
})

export const atualizarSetorRoute = defineRoute({
  method: 'PUT',
  path: '/atendimento/setores/:id',
  permission: 'atendimentoHumano',
  deniesOperators: true,
  params: idParamsSchema,
  body: z.object({ nome: z.optional(nome), cor: z.optional(color), ativo: z.optional(z.boolean()) }),
  response: setorResponse,
  fallbackError: 'Erro ao atualizar setor',
})

/** Its conversas and menu options move to `geral`, which cannot be removed. */
export const removerSetorRoute = defineRoute({
  method: 'DELETE',
  path: '/atendimento/setores/:id',
  permission: 'atendimentoHumano',
  deniesOperators: true,
  params: idParamsSchema,
  response: z.object({ sucesso: z.literal(true), setores: z.array(setorSchema) }),
  fallbackError: 'Erro ao remover setor',
})
