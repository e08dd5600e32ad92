import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { linhaInputSchema, linhaPatchSchema, linhaSchema, versionedLinhaConfigSchema } from '#entities/linha.ts'
import { idParamsSchema } from './common.ts'

const linhaResponse = z.object({ linha: linhaSchema })

/** The main line first, then by name. */
export const linhasRoute = defineRoute({
  method: 'GET',
  path: '/linhas',
  permission: 'logado',
  response: z.object({ linhas: z.array(linhaSchema) }),
  fallbackError: 'Erro ao carregar as linhas',
})

export const linhaRoute = defineRoute({
  method: 'GET',
  path: '/linhas/:id',
  permission: 'logado',
  params: idParamsSchema,
  response: linhaResponse,
  fallbackError: 'Erro ao carregar a linha',
})

/** Throws `linhaExiste` for a name that is taken, and `limiteLinhas`. */
export const criarLinhaRoute = defineRoute({
  method: 'POST',
  path: '/linhas',
  permission: 'configuracaoGeral',
  deniesOperators: true,
  body: linhaInputSchema,
  response: linhaResponse,
  status: 201,
  fallbackError: 'Erro ao criar a linha',
})

/** Throws `conflito` for an outdated `versao`, and `botRodando` for another `conector` while the line has a session. */
export const atualizarLinhaRoute = defineRoute({
  method: 'PUT',
  path: '/linhas/:id',
  permission: 'configuracaoGeral',
  deniesOperators: true,
  params: idParamsSchema,
  body: linhaPatchSchema,
  response: linhaResponse,
  fallbackError: 'Erro ao salvar a linha',
})

/**
 * Unlinks the phone. The history stays and keeps the name. `encerrar=true` finishes the conversas that people serve or
 * that wait for them; without it they refuse the deletion with `linhaEmUso`.
 */
export const excluirLinhaRoute = defineRoute({
  method: 'DELETE',
  path: '/linhas/:id',
  permission: 'configuracaoGeral',
  deniesOperators: true,
  stepUp: true,
  params: idParamsSchema,
  query: z.object({ encerrar: z.optional(z.enum(['true', 'false'])) }),
  fallbackError: 'Erro ao excluir a linha',
})

export const configDaLinhaRoute = defineRoute({
  method: 'GET',
  path: '/linhas/:id/config',
  permission: 'mensagensMenus',
  params: idParamsSchema,
  response: versionedLinhaConfigSchema,
  fallbackError: 'Erro ao carregar a configuração da linha',
})

export const salvarConfigDaLinhaRoute = defineRoute({
  method: 'PUT',
  path: '/linhas/:id/config',
  permission: 'mensagensMenus',
  deniesOperators: true,
  params: idParamsSchema,
  body: versionedLinhaConfigSchema,
  response: versionedLinhaConfigSchema,
  fallbackError: 'Erro ao salvar a configuração da linha',
})
