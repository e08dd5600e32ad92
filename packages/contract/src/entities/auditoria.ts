import * as z from 'zod/mini'
import { instanteSchema } from './comum.ts'

/** The trail of who did what, to whom, when, from where and with which result. Nothing in it is ever a customer's content. */

/** Every act that leaves a trace. A new one is added here, and gets its words in the panel. */
export const ACOES_AUDITORIA = [
  'entrar',
  'sair',
  'senhaTrocada',
  'redefinicaoPedida',
  'senhaRedefinida',
  'contaCadastrada',
  'usuarioCriado',
  'usuarioAtivado',
  'usuarioDesativado',
  'usuarioExcluido',
  'usuarioRestaurado',
  'contaApagada',
  'limiteAlterado',
  'permissoesAlteradas',
  'planoAplicado',
  'contadorZerado',
  'configuracoesSalvas',
  'manutencaoIniciada',
  'manutencaoEncerrada',
  'sessaoLimpa',
  'configRestaurada',
  'operadorConvidado',
  'operadorCriado',
  'operadorAlterado',
  'operadorRemovido',
  'dadosExportados',
  'dadosApagados',
] as const
export const acaoAuditoriaSchema = z.enum(ACOES_AUDITORIA)
export type AcaoAuditoria = z.infer<typeof acaoAuditoriaSchema>

export const RESULTADOS_AUDITORIA = ['feito', 'recusado'] as const

/** Today in the product's own time zone, the last 7 or 30 days to the hour, or everything that is kept. */
export const PERIODOS_AUDITORIA = ['hoje', '7dias', '30dias', 'tudo'] as const
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
