import * as z from 'zod/mini'
import { ACOES_AUDITORIA, PERIODOS_AUDITORIA, RESULTADOS_AUDITORIA } from '#administration.ts'
import { instantSchema } from './common.ts'

/** An audit record. It never contains a customer's messages or data. */

export const acaoAuditoriaSchema = z.enum(ACOES_AUDITORIA)
export type AcaoAuditoria = z.infer<typeof acaoAuditoriaSchema>

export const periodoAuditoriaSchema = z.enum(PERIODOS_AUDITORIA)

/** Name and e-mail at the time of the action. The name is empty after the account was erased. */
const personSchema = z.object({ id: z.nullable(z.string()), nome: z.string(), email: z.string() })

export const atoSchema = z.object({
  id: z.string(),
  em: instantSchema,
  acao: acaoAuditoriaSchema,
  resultado: z.enum(RESULTADOS_AUDITORIA),
  quem: z.nullable(personSchema),
  /** Null: the action concerns only its author. */
  alvo: z.nullable(personSchema),
  /** Empty when no request caused the action. */
  ip: z.string(),
  /** Portuguese sentence for people. Empty when the action needs no detail. */
  detalhe: z.string(),
})
export type Ato = z.infer<typeof atoSchema>
