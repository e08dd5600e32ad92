import * as z from 'zod/mini'
import { PLANOS } from '#constants.ts'
import { idSchema, instantSchema, nomeSchema } from './common.ts'

export const componentesPermitidosSchema = z.object({
  configuracaoGeral: z.boolean(),
  mensagensMenus: z.boolean(),
  iaChatbot: z.boolean(),
  logsStatus: z.boolean(),
  atendimentoHumano: z.boolean(),
  lojaWhatsapp: z.boolean(),
})
export type ComponentesPermitidos = z.infer<typeof componentesPermitidosSchema>

export const componentesPatchSchema = z
  .partial(componentesPermitidosSchema)
  .check(z.refine((componentes) => Object.keys(componentes).length > 0))
export type ComponentesPatch = z.infer<typeof componentesPatchSchema>

export const tipoUsuarioSchema = z.enum(['admin', 'usuario', 'operador'])
export type TipoUsuario = z.infer<typeof tipoUsuarioSchema>

export const statusUsuarioSchema = z.enum(['pendente', 'ativo', 'inativo'])
export type StatusUsuario = z.infer<typeof statusUsuarioSchema>

export const planoSchema = z.enum(PLANOS)

/** Messages per day. The maximum fits a 32-bit column. */
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
  /** Always equal to `status === 'ativo'`. */
  ativo: z.boolean(),
  dataCriacao: instantSchema,
  limiteMensagensDia: z.int(),
  componentesPermitidos: componentesPermitidosSchema,
  /** Ids of an operator's setores; empty means all. Absent for other users. */
  setores: z.optional(z.array(z.string())),
  /** Ids of an operator's lines; empty means all. Absent for other users. */
  linhas: z.optional(z.array(z.string())),
})
export type Usuario = z.infer<typeof usuarioSchema>

/** Own data of a person. Absent fields keep their value; an empty phone removes it. */
export const meusDadosInputSchema = z
  .partial(
    z.object({
      nome: nomeSchema,
      telefone: z
        .string()
        .check(z.trim(), z.maxLength(25, 'Telefone longo demais'), z.regex(/^[\d\s()+-]*$/, 'Use só números')),
    }),
  )
  .check(z.refine(({ nome, telefone }) => nome !== undefined || telefone !== undefined, 'Informe o que deve mudar'))

export const recursosSchema = z.object({
  iaPermitida: z.boolean(),
  /** Null: no limit. */
  opcoesMenuMaximo: z.nullable(z.int()),
})
export type Recursos = z.infer<typeof recursosSchema>

/** A row of the administrator's user table, with usage but without message content. */
export const usuarioAdminSchema = z.extend(usuarioSchema, {
  mensagensHoje: z.int(),
  /** Percent of the daily limit, rounded; may exceed 100. 0 for administrators, who have no limit. */
  percentualUso: z.number(),
  mensagemesTotalMes: z.int(),
  botConectado: z.boolean(),
  /** True while the connected bot is the simulator, so that no customer is served. */
  modoTeste: z.optional(z.boolean()),
  /** Client ID, the name of the connection. Empty until the owner chooses one. */
  conexao: z.string(),
  recursos: recursosSchema,
  limiteLinhas: z.int(),
  segundoFator: z.boolean(),
  /** Plan that the person chose at sign-up. Absent without a choice. */
  planoDesejado: z.optional(planoSchema),
  /** Only for deleted accounts: instant of deletion. `apagaEm` is the end of the period in which it can be restored. */
  excluidoEm: z.optional(instantSchema),
  apagaEm: z.optional(instantSchema),
})
export type UsuarioAdmin = z.infer<typeof usuarioAdminSchema>

const usageSchema = z.object({
  mensagensHoje: z.int(),
  limiteDiario: z.nullable(z.int()),
  percentualUso: z.number(),
  /** Total of the month. The misspelt name is part of the API. */
  mensagemesTotalMes: z.int(),
})

/** `estatisticas` of `GET /admin/usuarios/:id/estatisticas`. */
export const usuarioStatsSchema = z.extend(usageSchema, {
  componentesPermitidos: componentesPermitidosSchema,
  estatisticas: z.object({ mensagensHoje: z.int() }),
})
export type UsuarioStats = z.infer<typeof usuarioStatsSchema>

/** `usuario` of `GET /usuario/estatisticas`. The usage appears both at the top level and in `estatisticas`. */
export const usuarioWithStatsSchema = z.extend(usuarioSchema, {
  estatisticas: usageSchema,
  recursos: recursosSchema,
  limiteLinhas: z.int(),
  limiteDiario: z.nullable(z.int()),
  percentualUso: z.number(),
  mensagemesTotalMes: z.int(),
})
export type UsuarioWithStats = z.infer<typeof usuarioWithStatsSchema>
