import * as z from 'zod/mini'
import { TEXTO_MAXIMO } from '#constants.ts'
import {
  atendimentoConfigSchema,
  configSchema,
  iaSchema,
  menuSchema,
  OPTIONAL_CONFIG_FIELDS,
  setorSchema,
  whatsappSchema,
  type Config,
} from './config.ts'
import { lojaSchema } from './loja.ts'

/** A new setor needs only its name. The server adds the id and the date. */
export const setoresInputSchema = z
  .array(
    z.extend(setorSchema, {
      id: z._default(setorSchema.shape.id, ''),
      cor: z._default(setorSchema.shape.cor, 'blue'),
      ativo: z._default(z.boolean(), true),
      criadoEm: z._default(z.string().check(z.maxLength(40)), ''),
    }),
  )
  .check(z.maxLength(100))

/**
 * Configuration as a client sends it. Fields that are optional here keep their stored value when missing.
 * `promptIA` is the older name of `ia.promptTreinamento` and is used only when the latter is empty.
 */
export const configInputSchema = z.extend(configSchema, {
  whatsapp: z.partial(whatsappSchema, OPTIONAL_CONFIG_FIELDS.whatsapp),
  ia: z.partial(iaSchema, OPTIONAL_CONFIG_FIELDS.ia),
  menu: z.partial(menuSchema, OPTIONAL_CONFIG_FIELDS.menu),
  atendimento: z.extend(z.partial(atendimentoConfigSchema, OPTIONAL_CONFIG_FIELDS.atendimento), {
    setores: setoresInputSchema,
  }),
  loja: z.optional(z.partial(lojaSchema)),
  promptIA: z.optional(z.string().check(z.maxLength(TEXTO_MAXIMO))),
  /** Version read by the last GET. An outdated version is refused with 409. Absent: the save overwrites any version. */
  versao: z.optional(z.int().check(z.gte(1))),
})
export type ConfigInput = z.infer<typeof configInputSchema>

/** The sent fields, with the stored value of each that is undefined. */
export function withStored<T extends object>(stored: T, sent: { readonly [K in keyof T]?: T[K] | undefined }): T {
  return { ...stored, ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) }
}

/**
 * Merges a request into the stored configuration and returns a complete one. Masked API keys are copied as sent;
 * the server unmasks them.
 */
export function completeConfig(current: Config, input: ConfigInput): Config {
  const { whatsapp, gemini, ia, menu, atendimento, loja = {}, promptIA } = input
  const promptTreinamento = ia.promptTreinamento === '' ? (promptIA ?? '') : ia.promptTreinamento
  return {
    whatsapp: withStored(current.whatsapp, whatsapp),
    gemini,
    ia: withStored(current.ia, { ...ia, promptTreinamento }),
    menu: withStored(current.menu, menu),
    atendimento: withStored(current.atendimento, atendimento),
    loja: withStored(current.loja, loja),
  }
}
