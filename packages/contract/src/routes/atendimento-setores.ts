import * as z from 'zod/mini'
import { CORES_SETOR } from '#constants.ts'
import { defineRoute } from '#define-route.ts'
import { setorSchema } from '#entities/config.ts'
import { idParamsSchema } from './comum.ts'

/** One setor at a time; `PUT /config/setores` writes all. The id is derived from the name. */

const nome = z
  .string('Nome do setor é obrigatório')
  .check(z.trim(), z.minLength(1, 'Nome do setor é obrigatório'), z.maxLength(60))
const cor = z.enum(CORES_SETOR)
const umSetor = z.object({ setor: setorSchema })

export const setoresRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/setores',
  permissao: 'atendimentoHumano',
  response: z.object({ setores: z.array(setorSchema) }),
  erroPadrao: 'Erro ao carregar setores',
})

export const criarSetorRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/setores',
  permissao: 'atendimentoHumano',
  configura: true,
  body: z.object({ nome, cor: z._default(cor, 'blue'), ativo: z._default(z.boolean(), true) }),
  response: umSetor,
  erroPadrao: 'Erro ao criar setor',
})

export const atualizarSetorRoute = defineRoute({
  method: 'PUT',
  path: '/atendimento/setores/:id',
  permissao: 'atendimentoHumano',
  configura: true,
  params: idParamsSchema,
  body: z.object({ nome: z.optional(nome), cor: z.optional(cor), ativo: z.optional(z.boolean()) }),
  response: umSetor,
  erroPadrao: 'Erro ao atualizar setor',
})

/** Its conversas and menu options move to `geral`, which cannot be removed. */
export const removerSetorRoute = defineRoute({
  method: 'DELETE',
  path: '/atendimento/setores/:id',
  permissao: 'atendimentoHumano',
  configura: true,
  params: idParamsSchema,
  response: z.object({ sucesso: z.literal(true), setores: z.array(setorSchema) }),
  erroPadrao: 'Erro ao remover setor',
})
