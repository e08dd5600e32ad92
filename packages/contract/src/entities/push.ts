import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

/** Notices on the phone that a usuario wants. `mostrarNome`: the title contains the name of the customer. */
export const preferenciasPushSchema = z.object({
  filaDosMeusSetores: z.boolean(),
  minhasConversas: z.boolean(),
  mencoes: z.boolean(),
  botDesconectado: z.boolean(),
  mostrarNome: z.boolean(),
})
export type PreferenciasPush = z.infer<typeof preferenciasPushSchema>

export const PREFERENCIAS_PUSH_PADRAO: PreferenciasPush = {
  filaDosMeusSetores: true,
  minhasConversas: true,
  mencoes: true,
  botDesconectado: true,
  mostrarNome: false,
}

/** A browser that receives notices, without its address and keys. */
export const inscricaoPushSchema = z.object({
  id: z.string(),
  /** Host of the push service. Empty: the server lost the key of the address. */
  servico: z.string(),
  criadaEm: instantSchema,
})
export type InscricaoPush = z.infer<typeof inscricaoPushSchema>

export const tipoAvisoPushSchema = z.enum(['fila', 'mensagem', 'mencao', 'botDesconectado', 'teste'])
export type TipoAvisoPush = z.infer<typeof tipoAvisoPushSchema>

/** Decrypted content of a notice. It never contains words of a customer. */
export const avisoPushSchema = z.object({
  titulo: z.string(),
  tipo: tipoAvisoPushSchema,
  conversaId: z.optional(z.string()),
})
export type AvisoPush = z.infer<typeof avisoPushSchema>
