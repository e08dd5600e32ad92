import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

/** Questions with which the shop examines its assistant before customers meet it. */

/** Per account. */
export const PROVAS_MAX = 300

const expectedTexts = z
  .array(z.string().check(z.trim(), z.minLength(1, 'Escreva o texto ou apague a linha'), z.maxLength(200)))
  .check(z.maxLength(20))

const provaFields = {
  pergunta: z
    .string('Escreva a pergunta')
    .check(z.trim(), z.minLength(1, 'Escreva a pergunta'), z.maxLength(1_000, 'A pergunta tem até 1000 caracteres')),
  /** The answer must contain all of these texts. Case, accents and the forms of sums and times do not matter. */
  contem: expectedTexts,
  /** The answer must contain none of these texts. */
  naoContem: expectedTexts,
  /** True: the assistant must call a person. False: it must not. Absent: both are right. */
  transfere: z.optional(z.boolean()),
  /** With `ia.exigirProva` changed settings of the AI are saved only when it passes. */
  obrigatoria: z.boolean(),
}

/** The last answer of the assistant to a question. */
const resultadoGuardadoSchema = z.object({
  passou: z.boolean(),
  resposta: z.string(),
  /** Why it failed, in Portuguese. */
  motivo: z.optional(z.string()),
  em: instantSchema,
})

export const provaSchema = z.object({
  id: z.string(),
  ...provaFields,
  origem: z.enum(['gerada', 'conversa', 'propria']),
  /** Of the last exam, whatever its draft was. Absent: never asked, or changed since. */
  resultado: z.optional(resultadoGuardadoSchema),
})
export type Prova = z.infer<typeof provaSchema>

export const provaInputSchema = z.object({
  ...provaFields,
  contem: z._default(expectedTexts, []),
  naoContem: z._default(expectedTexts, []),
  obrigatoria: z._default(z.boolean(), false),
  /** `gerada` only the server gives. */
  origem: z._default(z.enum(['conversa', 'propria']), 'propria'),
})
export type ProvaInput = z.infer<typeof provaInputSchema>

/** Any subset of the fields. `transfere` null: both are right. */
export const provaPatchSchema = z.partial(z.object({ ...provaFields, transfere: z.optional(z.nullable(z.boolean())) }))
export type ProvaPatch = z.infer<typeof provaPatchSchema>

export const resultadoProvaSchema = z.object({
  provaId: z.string(),
  passou: z.boolean(),
  resposta: z.string(),
  motivo: z.optional(z.string()),
})
export type ResultadoProva = z.infer<typeof resultadoProvaSchema>

const beforeAndAfter = z.object({ antes: z.int(), depois: z.int() })
const textsOfBot = z.array(z.string())

/** The conversas of a period, once with the stored settings and once with a draft. */
export const ensaioSchema = z.object({
  conversas: z.int(),
  /** Conversas in which the customer would have read the same texts and reached the same setores. */
  iguais: z.int(),
  /** The others, newest first, at most 50. */
  diferentes: z.array(
    z.object({
      conversaId: z.string(),
      /** Masked name, such as `A*** S.`. */
      cliente: z.string(),
      antes: textsOfBot,
      depois: textsOfBot,
      /** Ids of the setores to which the bot handed the customer, in order. */
      setores: z.object({ antes: z.array(z.string()), depois: z.array(z.string()) }),
    }),
  ),
  /** Conversas that the bot handed to people. */
  transferencias: beforeAndAfter,
  /** Messages of the bot. */
  mensagens: beforeAndAfter,
})
export type Ensaio = z.infer<typeof ensaioSchema>
