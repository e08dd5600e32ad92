import * as z from 'zod/mini'
import { ACOES_AUDITORIA, PERIODOS_AUDITORIA, RESULTADOS_AUDITORIA } from '#administracao.ts'
import { instanteSchema } from './comum.ts'

/** The trail of who did what, to whom, when, from where and with which result. Nothing in it is ever a customer's content. */

export const acaoAuditoriaSchema = z.enum(ACOES_AUDITORIA)
export type AcaoAuditoria = z.infer<typeof acaoAuditoriaSchema>

export const periodoAuditoriaSchema = z.enum(PERIODOS_AUDITORIA)

/** As they were called then; without a name once their account was erased. */
const pessoaSchema = z.object({ id: z.nullable(z.string()), nome: z.string(), email: z.string() })

export const atoSchema = z.object({
  id: z.string(),
  em: instanteSchema,
  acao: acaoAuditoriaSchema,
  resultado: z.enum(RESULTADOS_AUDITORIA),
  /** Null: the product did it of its own accord. */
  quem: z.nullable(pessoaSchema),
  /** Null: nobody but the one who acted. */
  alvo: z.nullable(pessoaSchema),
  /** Empty when nothing came from outside. */
  ip: z.string(),
  /** A sentence for people; empty when the act says it all. */
  detalhe: z.string(),
})
export type Ato = z.infer<typeof atoSchema>
