import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { configEntradaSchema, setoresEntradaSchema } from '#entities/config-entrada.ts'
import { configVersionadaSchema } from '#entities/config.ts'
import { versaoConfigSchema } from '#entities/versao-config.ts'
import { paginaSchema, proximoCursorSchema } from './comum.ts'

/** Configuration (spec §7, decisions §2). A section whose component the user lacks is kept as stored. */

/** Whoever may write at least one section; the last paragraph of decisions §5 says which. */
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

/** The chosen version is saved again as a new one. */
export const restaurarConfigRoute = defineRoute({
  method: 'POST',
  path: '/config/versoes/:n/restaurar',
  permissao: ESCREVEM_CONFIG,
  configura: true,
  params: z.object({ n: z.coerce.number().check(z.int(), z.gte(1)) }),
  /** As in a save: the version that is to be replaced. A stale one is 409, none lets the last writer win. */
  body: z.object({ versao: versaoVistaSchema }),
  response: configResposta,
  erroPadrao: 'Erro ao restaurar versão',
})

/** The same save under its second name (decisions §2). */
export const salvarConfigBotRoute = defineRoute({
  method: 'POST',
  path: '/bot/configuracao',
  permissao: ESCREVEM_CONFIG,
  configura: true,
  body: z.object({ configuracao: configEntradaSchema }),
  response: configResposta,
  erroPadrao: 'Erro ao atualizar configuração',
})
