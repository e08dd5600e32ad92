import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { configEntradaSchema, setoresEntradaSchema } from '#entities/config-entrada.ts'
import { configVersionadaSchema } from '#entities/config.ts'
import { versaoConfigSchema } from '#entities/versao-config.ts'
import { paginaSchema, proximoCursorSchema } from './comum.ts'

/** Sections whose component the user lacks keep their stored value. */

/** Components of which a user needs at least one to save the configuration. */
export const ESCREVEM_CONFIG = ['configuracaoGeral', 'mensagensMenus', 'iaChatbot', 'atendimentoHumano'] as const

const versaoVistaSchema = z.optional(z.int().check(z.gte(1)))

const configResposta = z.object({ sucesso: z.literal(true), config: configVersionadaSchema })

export const configRoute = defineRoute({
  method: 'GET',
  path: '/config',
  permissao: 'logado',
  response: configResposta,
  erroPadrao: 'Erro ao carregar configuração',
})

export const salvarConfigRoute = defineRoute({
  method: 'PUT',
  path: '/config',
  permissao: ESCREVEM_CONFIG,
  configura: true,
  body: configEntradaSchema,
  response: configResposta,
  erroPadrao: 'Erro ao atualizar configuração',
})

export const salvarSetoresRoute = defineRoute({
  method: 'PUT',
  path: '/config/setores',
  permissao: 'atendimentoHumano',
  configura: true,
  body: z.object({
    setores: setoresEntradaSchema,
    versao: versaoVistaSchema,
  }),
  response: configResposta,
  erroPadrao: 'Erro ao atualizar configuração',
})

export const versoesConfigRoute = defineRoute({
  method: 'GET',
  path: '/config/versoes',
  permissao: 'logado',
  query: paginaSchema,
  response: z.object({ versoes: z.array(versaoConfigSchema), proximoCursor: proximoCursorSchema }),
  erroPadrao: 'Erro ao carregar versões',
})

/** Saves the chosen version as a new version. */
export const restaurarConfigRoute = defineRoute({
  method: 'POST',
  path: '/config/versoes/:n/restaurar',
  permissao: ESCREVEM_CONFIG,
  configura: true,
  params: z.object({ n: z.coerce.number().check(z.int(), z.gte(1)) }),
  /**
   * Current version that the client has read. An outdated version is refused with 409; absent, the restore
   * overwrites.
   */
  body: z.object({ versao: versaoVistaSchema }),
  response: configResposta,
  erroPadrao: 'Erro ao restaurar versão',
})

/** Same operation as `PUT /config`, kept for clients that use this path. */
export const salvarConfigBotRoute = defineRoute({
  method: 'POST',
  path: '/bot/configuracao',
  permissao: ESCREVEM_CONFIG,
  configura: true,
  body: z.object({ configuracao: configEntradaSchema }),
  response: configResposta,
  erroPadrao: 'Erro ao atualizar configuração',
})
