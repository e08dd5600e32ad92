import * as z from 'zod/mini'
import { PLANOS } from '#constants.ts'
import { idSchema, instanteSchema } from './comum.ts'

/** Who logs in (spec §3 "User"); a user belongs to one account, `contaId` (decisions §1). */

export const componentesPermitidosSchema = z.object({
  configuracaoGeral: z.boolean(),
  mensagensMenus: z.boolean(),
  iaChatbot: z.boolean(),
  logsStatus: z.boolean(),
  atendimentoHumano: z.boolean(),
  lojaWhatsapp: z.boolean(),
})
export type ComponentesPermitidos = z.infer<typeof componentesPermitidosSchema>

/** Some of the six, at least one. */
export const componentesParciaisSchema = z
  .partial(componentesPermitidosSchema)
  .check(z.refine((componentes) => Object.keys(componentes).length > 0))
export type ComponentesParciais = z.infer<typeof componentesParciaisSchema>

export const tipoUsuarioSchema = z.enum(['admin', 'usuario', 'operador'])
export type TipoUsuario = z.infer<typeof tipoUsuarioSchema>

export const statusUsuarioSchema = z.enum(['pendente', 'ativo', 'inativo'])
export type StatusUsuario = z.infer<typeof statusUsuarioSchema>

export const planoSchema = z.enum(PLANOS)

/** Messages a day; the cap keeps the number inside a 32-bit column. */
export const limiteMensagensDiaSchema = z
  .int('O limite deve ser um número inteiro')
  .check(z.gte(1, 'O limite mínimo é 1 mensagem por dia'), z.lte(1_000_000_000, 'Limite alto demais'))

export const usuarioSchema = z.object({
  id: idSchema,
  contaId: idSchema,
  nome: z.string(),
  email: z.string(),
  telefone: z.string(),
  empresa: z.string(),
  tipo: tipoUsuarioSchema,
  plano: planoSchema,
  status: statusUsuarioSchema,
  /** Exactly `status === 'ativo'`. */
  ativo: z.boolean(),
  dataCriacao: instanteSchema,
  limiteMensagensDia: z.int(),
  componentesPermitidos: componentesPermitidosSchema,
  /** An operator's sectors, by id; empty is all of them. Absent for everybody else. */
  setores: z.optional(z.array(z.string())),
})
export type Usuario = z.infer<typeof usuarioSchema>

/** A row of the administrator's table: the user and what the account used. Never any content. */
export const usuarioAdminSchema = z.extend(usuarioSchema, {
  mensagensHoje: z.int(),
  /** Whole percent of the daily limit, not capped; 0 for administrators, who have no limit. */
  percentualUso: z.number(),
  mensagemesTotalMes: z.int(),
  botConectado: z.boolean(),
  /** Deleted accounts only: since when, and until when it can be restored; then all of it is erased. */
  excluidoEm: z.optional(instanteSchema),
  apagaEm: z.optional(instanteSchema),
})
export type UsuarioAdmin = z.infer<typeof usuarioAdminSchema>

const usoSchema = z.object({
  mensagensHoje: z.int(),
  /** Null: no limit (administrators). */
  limiteDiario: z.nullable(z.int()),
  percentualUso: z.number(),
  /** Monthly total, spelt so by the specification (§3). */
  mensagemesTotalMes: z.int(),
})

/** What `GET /admin/usuarios/:id/estatisticas` gives (spec §3 "User statistics"). */
export const estatisticasUsuarioSchema = z.extend(usoSchema, {
  componentesPermitidos: componentesPermitidosSchema,
  estatisticas: z.object({ mensagensHoje: z.int() }),
})
export type EstatisticasUsuario = z.infer<typeof estatisticasUsuarioSchema>

/** What `GET /usuario/estatisticas` gives as `usuario`: the usage stands beside and inside `estatisticas` (spec §7). */
export const usuarioComEstatisticasSchema = z.extend(usuarioSchema, {
  estatisticas: usoSchema,
  limiteDiario: z.nullable(z.int()),
  percentualUso: z.number(),
  mensagemesTotalMes: z.int(),
})
export type UsuarioComEstatisticas = z.infer<typeof usuarioComEstatisticasSchema>
