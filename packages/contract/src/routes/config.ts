import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { successSchema } from '#entities/common.ts'
import { configInputSchema, setoresInputSchema } from '#entities/config-input.ts'
import { avisoConfigSchema, versionedConfigSchema } from '#entities/config.ts'
import { versaoConfigSchema } from '#entities/versao-config.ts'
import { pageSchema, nextCursorSchema } from './common.ts'

/** Sections whose component the user lacks keep their stored value. */

/** Components of which a user needs at least one to save the configuration. */
export const CONFIG_WRITERS = [
  'configuracaoGeral',
  'mensagensMenus',
  'iaChatbot',
  'atendimentoHumano',
  'lojaWhatsapp',
] as const

const seenVersaoSchema = z.optional(z.int().check(z.gte(1)))

/**
 * `forcar=true` with a `motivo` saves settings of the AI whose obligatory questions fail or were not asked. The reason
 * goes to the audit trail.
 */
const forceSchema = z.object({
  forcar: z.optional(z.enum(['true', 'false'])),
  motivo: z.optional(z.string().check(z.trim(), z.maxLength(200, 'O motivo tem até 200 caracteres'))),
})

const configResponse = z.object({ sucesso: z.literal(true), config: versionedConfigSchema })

export const configRoute = defineRoute({
  method: 'GET',
  path: '/config',
  permission: 'logado',
  /** `avisos` absent: the server is older. */
  response: z.extend(configResponse, { avisos: z.optional(z.array(avisoConfigSchema)) }),
  fallbackError: 'Erro ao carregar configuração',
})

/** Throws `provaReprovada`. */
export const salvarConfigRoute = defineRoute({
  method: 'PUT',
  path: '/config',
  permission: CONFIG_WRITERS,
  deniesOperators: true,
  query: forceSchema,
  body: configInputSchema,
  response: configResponse,
  fallbackError: 'Erro ao atualizar configuração',
})

export const salvarSetoresRoute = defineRoute({
  method: 'PUT',
  path: '/config/setores',
  permission: 'atendimentoHumano',
  deniesOperators: true,
  body: z.object({
    setores: setoresInputSchema,
    versao: seenVersaoSchema,
  }),
  response: configResponse,
  fallbackError: 'Erro ao atualizar configuração',
})

/**
 * Sends the summary of yesterday to the stored phone now, marked as a test. Throws `dadosInvalidos` without a phone,
 * `botDesconectado`, `janelaFechada` if the service allows no free text, and `muitasTentativas` within a minute.
 */
export const testarResumoRoute = defineRoute({
  method: 'POST',
  path: '/config/resumo/testar',
  permission: 'atendimentoHumano',
  deniesOperators: true,
  response: successSchema,
  status: 202,
  fallbackError: 'Erro ao enviar o resumo',
})

export const versoesConfigRoute = defineRoute({
  method: 'GET',
  path: '/config/versoes',
  permission: 'logado',
  query: pageSchema,
  response: z.object({ versoes: z.array(versaoConfigSchema), proximoCursor: nextCursorSchema }),
  fallbackError: 'Erro ao carregar versões',
})

export const restaurarConfigRoute = defineRoute({
  method: 'POST',
  path: '/config/versoes/:n/restaurar',
  permission: CONFIG_WRITERS,
  stepUp: true,
  deniesOperators: true,
  params: z.object({ n: z.coerce.number().check(z.int(), z.gte(1)) }),
  query: forceSchema,
  /**
   * Current version that the client has read. An outdated version is refused with 409; absent, the restore
   * overwrites.
   */
  body: z.object({ versao: seenVersaoSchema }),
  response: configResponse,
  fallbackError: 'Erro ao restaurar versão',
})

/** Same operation as `PUT /config`, kept for clients that use this path. */
export const salvarConfigBotRoute = defineRoute({
  method: 'POST',
  path: '/bot/configuracao',
  permission: CONFIG_WRITERS,
  deniesOperators: true,
  query: forceSchema,
  body: z.object({ configuracao: configInputSchema }),
  response: configResponse,
  fallbackError: 'Erro ao atualizar configuração',
})
