import * as z from 'zod/mini'
import { instantSchema, requiredTextSchema } from './common.ts'
import { mensagemSchema, midiaSchema } from './mensagem.ts'

export const simulatedPhoneSchema = z
  .string('Informe o telefone')
  .check(z.trim(), z.regex(/^\+?[\d\s().-]{8,25}$/, 'Informe um telefone com DDD'))

/** Absent: the main line. */
export const simulatedLineSchema = z.object({ linhaId: z.optional(z.uuid('Linha inválida')) })

export const mensagemSimuladaInputSchema = z.extend(simulatedLineSchema, {
  telefone: simulatedPhoneSchema,
  nome: z._default(z.string().check(z.trim(), z.maxLength(120)), ''),
  texto: requiredTextSchema,
  /** Idempotency key: a repeated id is the same message. */
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  deMim: z.optional(z.boolean()),
  grupo: z.optional(z.boolean()),
})
export type MensagemSimuladaInput = z.infer<typeof mensagemSimuladaInputSchema>

export const mensagemSimuladaSchema = z.object({
  id: z.string(),
  de: z.enum(['cliente', 'bot']),
  texto: z.string(),
  timestamp: instantSchema,
  /** Only for pictures: same address as `midia.url`. */
  imagemUrl: z.optional(z.string()),
  midia: z.optional(midiaSchema),
  citada: mensagemSchema.shape.citada,
  reacoes: mensagemSchema.shape.reacoes,
})
export type MensagemSimulada = z.infer<typeof mensagemSimuladaSchema>
