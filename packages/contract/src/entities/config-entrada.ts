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

/** A new sector needs only its name: the server gives it its id and its date. */
export const setoresEntradaSchema = z
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
 * The configuration as a client sends it (spec §3, decisions §2). The specification's fields are required; the fields
 * that the decisions add may be missing and then stay as stored. `promptIA` is the specification's legacy fallback.
 */
export const configEntradaSchema = z.extend(configSchema, {
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
    setores: setoresEntradaSchema,
    horario: z.optional(horarioSchema),
    avaliacao: z.optional(z.object({ ativa: z.boolean() })),
  }),
  promptIA: z.optional(z.string().check(z.maxLength(TEXTO_MAXIMO))),
  /** From the last GET; a stale one is 409. Absent: the last writer wins. */
  versao: z.optional(z.int().check(z.gte(1))),
})
export type ConfigEntrada = z.infer<typeof configEntradaSchema>

/** What was sent over what is stored → a whole configuration. Keys are taken as sent: unmasking is the server's. */
export function completarConfig(atual: Config, entrada: ConfigEntrada): Config {
  const { whatsapp, gemini, ia, menu, atendimento, promptIA } = entrada
  return {
    whatsapp: {
      ...whatsapp,
      conector: whatsapp.conector ?? atual.whatsapp.conector,
      respostaLigacao: whatsapp.respostaLigacao ?? atual.whatsapp.respostaLigacao,
    },
    gemini,
    ia: {
      ...ia,
      promptTreinamento: ia.promptTreinamento === '' ? (promptIA ?? '') : ia.promptTreinamento,
      esperaSegundos: ia.esperaSegundos ?? atual.ia.esperaSegundos,
    },
    menu: {
      ...menu,
      expiraEmMinutos: menu.expiraEmMinutos ?? atual.menu.expiraEmMinutos,
      tentativas: menu.tentativas ?? atual.menu.tentativas,
      digitando: menu.digitando ?? atual.menu.digitando,
    },
    atendimento: {
      setores: atendimento.setores,
      horario: atendimento.horario ?? atual.atendimento.horario,
      avaliacao: atendimento.avaliacao ?? atual.atendimento.avaliacao,
    },
  }
}
