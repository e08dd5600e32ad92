import * as z from 'zod/mini'
import {
  atendimentoConfigSchema,
  configSchema,
  horarioSchema,
  iaSchema,
  menuSchema,
  setorSchema,
  whatsappSchema,
  type Config,
} from './config.ts'
import { CONECTORES, TEXTO_MAXIMO } from '#constants.ts'

/** A new setor needs only its name. The server adds the id and the date. */
export const setoresInputSchema = z
  .array(
    z.extend(setorSchema, {
      id: z._default(setorSchema.shape.id, ''),
      cor: z._default(setorSchema.shape.cor, 'blue'),
      ativo: z._default(z.boolean(), true),
      criadoEm: z._default(z.string(), ''),
    }),
  )
  .check(z.maxLength(100))

/**
 * Configuration as a client sends it. Fields that are optional here keep their stored value when missing.
 * `promptIA` is the older name of `ia.promptTreinamento` and is used only when the latter is empty.
 */
export const configInputSchema = z.extend(configSchema, {
  whatsapp: z.extend(whatsappSchema, {
    conector: z.optional(z.enum(CONECTORES)),
    respostaLigacao: z.optional(whatsappSchema.shape.respostaLigacao),
  }),
  ia: z.extend(iaSchema, { esperaSegundos: z.optional(iaSchema.shape.esperaSegundos) }),
  menu: z.extend(menuSchema, {
    expiraEmMinutos: z.optional(menuSchema.shape.expiraEmMinutos),
    tentativas: z.optional(menuSchema.shape.tentativas),
    digitando: z.optional(z.boolean()),
  }),
  atendimento: z.extend(atendimentoConfigSchema, {
    setores: setoresInputSchema,
    horario: z.optional(horarioSchema),
    avaliacao: z.optional(z.object({ ativa: z.boolean() })),
  }),
  promptIA: z.optional(z.string().check(z.maxLength(TEXTO_MAXIMO))),
  /** Version read by the last GET. An outdated version is refused with 409. Absent: the save overwrites any version. */
  versao: z.optional(z.int().check(z.gte(1))),
})
export type ConfigInput = z.infer<typeof configInputSchema>

/**
 * Merges a request into the stored configuration and returns a complete one. Masked API keys are copied as sent;
 * the server unmasks them.
 */
export function completeConfig(current: Config, input: ConfigInput): Config {
  const { whatsapp, gemini, ia, menu, atendimento, promptIA } = input
  return {
    whatsapp: {
      ...whatsapp,
      conector: whatsapp.conector ?? current.whatsapp.conector,
      respostaLigacao: whatsapp.respostaLigacao ?? current.whatsapp.respostaLigacao,
    },
    gemini,
    ia: {
      ...ia,
      promptTreinamento: ia.promptTreinamento === '' ? (promptIA ?? '') : ia.promptTreinamento,
      esperaSegundos: ia.esperaSegundos ?? current.ia.esperaSegundos,
    },
    menu: {
      ...menu,
      expiraEmMinutos: menu.expiraEmMinutos ?? current.menu.expiraEmMinutos,
      tentativas: menu.tentativas ?? current.menu.tentativas,
      digitando: menu.digitando ?? current.menu.digitando,
    },
    atendimento: {
      setores: atendimento.setores,
      horario: atendimento.horario ?? current.atendimento.horario,
      avaliacao: atendimento.avaliacao ?? current.atendimento.avaliacao,
    },
  }
}
