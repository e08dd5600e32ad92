import * as z from 'zod/mini'
import { CONECTORES, CORES_SETOR, ENVIO_PADRAO, LIMITE_LINHAS_MAXIMO } from '#constants.ts'
import { motivoBotSchema, statusBotSchema } from './bot-status.ts'
import { instantSchema } from './common.ts'
import { horarioSchema, menuSchema } from './config.ts'

const conectorSchema = z.enum(CONECTORES, 'Escolha como a linha se conecta')
const corSchema = z.enum(CORES_SETOR, 'Escolha uma das cores')

/** A number or web chat of an account. Never carries a QR code. */
export const linhaSchema = z.object({
  id: z.string(),
  nome: z.string(),
  conector: conectorSchema,
  /** True for a single line of the account. `/bot` and the events without a line mean it. */
  principal: z.boolean(),
  cor: corSchema,
  /** Receives handovers that name no setor. Empty: Geral. */
  setor: z.string(),
  /** An inactive line does not start. */
  ativa: z.boolean(),
  conectadoComo: z.optional(z.string()),
  status: statusBotSchema,
  motivo: z.optional(motivoBotSchema),
  criadaEm: instantSchema,
  versao: z.int(),
})
export type Linha = z.infer<typeof linhaSchema>

/** The line of a conversa. A deleted line keeps its name. */
export const linhaDaConversaSchema = z.pick(linhaSchema, { id: true, nome: true, conector: true })
export type LinhaDaConversa = z.infer<typeof linhaDaConversaSchema>

const nomeSchema = z
  .string('Dê um nome à linha')
  .check(
    z.trim(),
    z.minLength(1, 'Dê um nome à linha'),
    z.maxLength(40, 'O nome da linha deve ter no máximo 40 caracteres'),
  )
const setorSchema = z.string().check(z.maxLength(80))
const versaoSchema = z.int('Informe a versão lida').check(z.gte(1, 'Informe a versão lida'))

export const linhaInputSchema = z.object({
  nome: nomeSchema,
  conector: conectorSchema,
  cor: z._default(corSchema, 'blue'),
  setor: z._default(setorSchema, ''),
})
export type LinhaInput = z.infer<typeof linhaInputSchema>

/** Absent fields keep their value. */
export const linhaPatchSchema = z.object({
  nome: z.optional(nomeSchema),
  conector: z.optional(conectorSchema),
  cor: z.optional(corSchema),
  setor: z.optional(setorSchema),
  ativa: z.optional(z.boolean()),
  principal: z.optional(z.literal(true, 'Para trocar a linha principal, marque outra linha')),
  versao: versaoSchema,
})
export type LinhaPatch = z.infer<typeof linhaPatchSchema>

/** Requests and stored versions may lack the fields that are newer than the menu of a line. */
const menuDaLinhaSchema = z.extend(menuSchema, {
  juntarMensagens: z._default(menuSchema.shape.juntarMensagens, ENVIO_PADRAO.juntarMensagens),
  interativo: z._default(menuSchema.shape.interativo, ENVIO_PADRAO.interativo),
})

/** Sections of the settings that a line may have for itself. Null: the account's. */
export const linhaConfigSchema = z.object({
  menu: z.nullable(menuDaLinhaSchema),
  horario: z.nullable(horarioSchema),
  iaAtiva: z.nullable(z.boolean()),
})
export type LinhaConfig = z.infer<typeof linhaConfigSchema>

/** `versao`: of the settings of the account, which hold the sections of all lines. */
export const versionedLinhaConfigSchema = z.extend(linhaConfigSchema, { versao: versaoSchema })
export type VersionedLinhaConfig = z.infer<typeof versionedLinhaConfigSchema>

export const limiteLinhasSchema = z
  .int('O limite deve ser um número inteiro')
  .check(
    z.gte(1, 'O limite mínimo é 1 linha'),
    z.lte(LIMITE_LINHAS_MAXIMO, `O limite máximo é ${LIMITE_LINHAS_MAXIMO} linhas`),
  )
