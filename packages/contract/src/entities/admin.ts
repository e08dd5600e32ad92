import * as z from 'zod/mini'
import { politicaSenhaSchema } from './segundo-fator.ts'
import { acaoAuditoriaSchema } from './auditoria.ts'
import { instantSchema } from './common.ts'

export const SUPORTE_INVALIDO = 'Informe de 10 a 13 dígitos, ou deixe vazio'

/** Change in percent against the previous comparable period. Null without a previous value. */
const trendSchema = z.nullable(z.number())

export const adminStatsSchema = z.object({
  totalUsuarios: z.int(),
  usuariosAtivos: z.int(),
  botsAtivos: z.int(),
  mensagensHoje: z.int(),
  /** Since Monday, by each account's local days. */
  mensagensSemana: z.int(),
  /** Against the same hour of yesterday. */
  tendencias: z.object({
    totalUsuarios: trendSchema,
    usuariosAtivos: trendSchema,
    botsAtivos: trendSchema,
    mensagensHoje: trendSchema,
  }),
  /**
   * Against the same weekday and hour of last week. `mensagens` compares this week so far with the same part of
   * last week.
   */
  tendenciasSemana: z.object({
    totalUsuarios: trendSchema,
    usuariosAtivos: trendSchema,
    mensagens: trendSchema,
  }),
})
export type AdminStats = z.infer<typeof adminStatsSchema>

const suporteWhatsappSchema = z.string().check(z.trim(), z.regex(/^(\d{10,13})?$/, SUPORTE_INVALIDO))

export const adminConfiguracoesSchema = z.object({
  limiteUsuariosPorPlano: z.int().check(z.gte(1), z.lte(1_000_000)),
  mensagensPorDia: z.int().check(z.gte(1), z.lte(1_000_000_000)),
  permitirAutoRegistro: z.boolean(),
  notificacoesEmail: z.boolean(),
  /** Number of the support, for accounts on the plan Doação. Empty: no support. */
  suporteWhatsapp: suporteWhatsappSchema,
  exigirSegundoFatorAdmin: z.boolean(),
  politicaSenha: politicaSenhaSchema,
  /** With `padrao` too, new passwords may not be one of the commonest or the own e-mail. Always so for administrators. */
  recusarComuns: z.boolean(),
})
export type AdminConfiguracoes = z.infer<typeof adminConfiguracoesSchema>

export const adminConfiguracoesPatchSchema = z
  .partial(adminConfiguracoesSchema)
  .check(z.refine((changed) => Object.keys(changed).length > 0))
export type AdminConfiguracoesPatch = z.infer<typeof adminConfiguracoesPatchSchema>

/**
 * An e-mail of the system: sent (`enviadoEm`), failed (`erro`), or only stored because no mail server is
 * configured.
 */
export const sentEmailSchema = z.object({
  id: z.string(),
  para: z.string(),
  assunto: z.string(),
  texto: z.string(),
  criadoEm: instantSchema,
  enviadoEm: z.optional(instantSchema),
  erro: z.optional(z.string()),
})
export type SentEmail = z.infer<typeof sentEmailSchema>

export const atividadeSchema = z.object({
  usuario: z.object({ id: z.string(), nome: z.string(), email: z.string() }),
  acao: acaoAuditoriaSchema,
  proprio: z.boolean(),
  em: instantSchema,
})
export type Atividade = z.infer<typeof atividadeSchema>
