import * as z from 'zod/mini'
import { LIMITE_LINHAS_MAXIMO } from '#constants.ts'
import { emailSchema, idSchema, instantSchema, nomeSchema, newPasswordSchema } from './common.ts'
import { statusUsuarioSchema } from './usuario.ts'

export const operadorSchema = z.object({
  id: z.string(),
  nome: z.string(),
  email: z.string(),
  /** Ids of the setores served. Empty: all of them. */
  setores: z.array(z.string()),
  /** Ids of the lines served. Empty: all of them. */
  linhas: z.array(z.string()),
  status: statusUsuarioSchema,
  dataCriacao: instantSchema,
  convitePendente: z.boolean(),
  /** Expiry of the last invitation. Null: no valid invitation. */
  conviteAte: z.nullable(instantSchema),
  segundoFator: z.boolean(),
})
export type Operador = z.infer<typeof operadorSchema>

/** A person who may serve conversas now: active and able to log in. Also a dono. */
export const atendenteSchema = z.object({
  id: z.string(),
  nome: z.string(),
  setores: z.array(z.string()),
  linhas: z.array(z.string()),
})
export type Atendente = z.infer<typeof atendenteSchema>

/** Data that the invitation page may show to the holder of the link. `empresa` may be empty. */
export const conviteSchema = z.object({ empresa: z.string(), email: z.string(), expiraEm: instantSchema })
export type Convite = z.infer<typeof conviteSchema>

/** `link` is the only copy of the invitation. `emailEnviado`: a mail server is configured and gets it too. */
export const conviteCriadoSchema = z.object({
  link: z.string(),
  expiraEm: instantSchema,
  emailEnviado: z.boolean(),
})
export type ConviteCriado = z.infer<typeof conviteCriadoSchema>

const setores = z.array(z.string().check(z.minLength(1), z.maxLength(80))).check(z.maxLength(100))

export const operadorInputSchema = z.object({
  nome: nomeSchema,
  email: emailSchema,
  setores,
  linhas: z.optional(z.array(idSchema).check(z.maxLength(LIMITE_LINHAS_MAXIMO))),
  /** Absent: the server creates an invitation. */
  senha: z.optional(newPasswordSchema),
})

export const operadorPatchSchema = z.partial(z.extend(operadorInputSchema, { ativo: z.boolean() }))
