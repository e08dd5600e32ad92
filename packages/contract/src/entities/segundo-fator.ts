import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

/** The parts of second factors that every screen of the panel loads. The others are in `identidade.ts`. */

export const metodoSegundoFatorSchema = z.enum(['totp', 'passkey', 'recuperacao'])
export type MetodoSegundoFator = z.infer<typeof metodoSegundoFatorSchema>

/** Ways to confirm a sensitive act. Field `metodos` of `confirmacaoNecessaria`. */
export const metodoConfirmacaoSchema = z.enum(['senha', 'totp', 'passkey'])
export type MetodoConfirmacao = z.infer<typeof metodoConfirmacaoSchema>

/** The password was right and a second factor is missing. `metodos` may be empty when no factor of the person works here. */
export const desafioSchema = z.object({
  desafio: z.string(),
  metodos: z.array(metodoSegundoFatorSchema),
  expiraEm: instantSchema,
})
export type Desafio = z.infer<typeof desafioSchema>

/** Second factors of the person who asks. `exigido`: the owner or the administrator demands one. */
export const segurancaUsuarioSchema = z.object({
  totp: z.boolean(),
  passkeys: z.int(),
  recuperacao: z.int(),
  exigido: z.boolean(),
})
export type SegurancaUsuario = z.infer<typeof segurancaUsuarioSchema>

/** `padrao`: at least 6 characters. `forte`: 15, or 8 with a second factor, and no guessable password. */
export const politicaSenhaSchema = z.enum(['padrao', 'forte'])
export type PoliticaSenha = z.infer<typeof politicaSenhaSchema>
