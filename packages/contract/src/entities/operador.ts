import * as z from 'zod/mini'
import { emailSchema, instanteSchema, nomeSchema, novaSenhaSchema } from './comum.ts'
import { statusUsuarioSchema } from './usuario.ts'

/** A person of the account who only serves conversations (decisions §1). */
export const operadorSchema = z.object({
  id: z.string(),
  nome: z.string(),
  email: z.string(),
  /** Ids of the sectors served; empty is all of them. */
  setores: z.array(z.string()),
  status: statusUsuarioSchema,
  dataCriacao: instanteSchema,
  /** Invited and without a password yet. */
  convitePendente: z.boolean(),
  /** Until when the last invitation opens; null when none does. */
  conviteAte: z.nullable(instanteSchema),
})
export type Operador = z.infer<typeof operadorSchema>

/** What the page of an invitation may say to whoever holds the link. `empresa` is empty when the owner gave none. */
export const conviteSchema = z.object({ empresa: z.string(), email: z.string(), expiraEm: instanteSchema })
export type Convite = z.infer<typeof conviteSchema>

const setores = z.array(z.string().check(z.minLength(1), z.maxLength(80))).check(z.maxLength(100))

export const operadorEntradaSchema = z.object({
  nome: nomeSchema,
  email: emailSchema,
  setores,
  /** Absent: an invitation goes by e-mail. */
  senha: z.optional(novaSenhaSchema),
})

export const operadorEdicaoSchema = z.partial(z.extend(operadorEntradaSchema, { ativo: z.boolean() }))
