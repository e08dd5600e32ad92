import * as z from 'zod/mini'
import { acaoAuditoriaSchema } from './auditoria.ts'
import { instanteSchema } from './comum.ts'

/** The administrator's numbers (spec §3 "Admin stats"), with measured trends. */

/** Percent against the previous comparable period; null when there is nothing to compare with. */
const tendencia = z.nullable(z.number())

export const adminStatsSchema = z.object({
  totalUsuarios: z.int(),
  usuariosAtivos: z.int(),
  botsAtivos: z.int(),
  mensagensHoje: z.int(),
  /** Since Monday, in each account's own days. */
  mensagensSemana: z.int(),
  /** Against the same hour of yesterday. */
  tendencias: z.object({
    totalUsuarios: tendencia,
    usuariosAtivos: tendencia,
    botsAtivos: tendencia,
    mensagensHoje: tendencia,
  }),
  /** Against the same hour and day of last week, where a week says something; of messages, this week's against last week's. */
  tendenciasSemana: z.object({
    totalUsuarios: tendencia,
    usuariosAtivos: tendencia,
    mensagens: tendencia,
  }),
})
export type AdminStats = z.infer<typeof adminStatsSchema>

/** The settings form (spec §2 "Configurações", decisions §1). */
export const adminConfiguracoesSchema = z.object({
  limiteUsuariosPorPlano: z.int().check(z.gte(1), z.lte(1_000_000)),
  mensagensPorDia: z.int().check(z.gte(1), z.lte(1_000_000_000)),
  permitirAutoRegistro: z.boolean(),
  notificacoesEmail: z.boolean(),
})
export type AdminConfiguracoes = z.infer<typeof adminConfiguracoesSchema>

/** What the form changes, at least one of them; the others stay. */
export const adminConfiguracoesParciaisSchema = z
  .partial(adminConfiguracoesSchema)
  .check(z.refine((mudadas) => Object.keys(mudadas).length > 0))
export type AdminConfiguracoesParciais = z.infer<typeof adminConfiguracoesParciaisSchema>

/** A mail of the system: sent (`enviadoEm`), failed (`erro`), or kept because no mail server is configured. */
export const emailEnviadoSchema = z.object({
  id: z.string(),
  para: z.string(),
  assunto: z.string(),
  texto: z.string(),
  criadoEm: instanteSchema,
  enviadoEm: z.optional(instanteSchema),
  erro: z.optional(z.string()),
})
export type EmailEnviado = z.infer<typeof emailEnviadoSchema>

/** Somebody of whom something was heard, and what it was last (spec §2: the five of "recent activity"). */
export const atividadeSchema = z.object({
  usuario: z.object({ id: z.string(), nome: z.string(), email: z.string() }),
  acao: acaoAuditoriaSchema,
  /** Whether the user did it, or somebody else to them. */
  proprio: z.boolean(),
  em: instanteSchema,
})
export type Atividade = z.infer<typeof atividadeSchema>
