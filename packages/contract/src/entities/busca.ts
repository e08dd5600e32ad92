import * as z from 'zod/mini'
import { instantSchema } from './common.ts'
import { statusConversaSchema } from './conversa.ts'
import { origemMensagemSchema } from './mensagem.ts'

/** A found message, or with `origem: 'nota'` a nota, whose id is then `mensagemId`. */
export const resultadoBuscaSchema = z.object({
  conversaId: z.string(),
  mensagemId: z.string(),
  cliente: z.string(),
  trecho: z.string(),
  /** First and next character of each found word of `trecho`, also of one that was written with an error. */
  marcas: z.array(z.tuple([z.int(), z.int()])),
  timestamp: instantSchema,
  origem: z.union([origemMensagemSchema, z.literal('nota')]),
})
export type ResultadoBusca = z.infer<typeof resultadoBuscaSchema>

export const buscaQuerySchema = z
  .string('Escreva o que procura')
  .check(z.trim(), z.minLength(2, 'Escreva pelo menos 2 letras'), z.maxLength(200, 'Escreva no máximo 200 caracteres'))

export const BUSCA_MAXIMO = 5

/** `conversaId` and `status` are of the last conversa that the person may read. */
export const clienteBuscaSchema = z.object({
  contatoId: z.string(),
  nome: z.string(),
  telefone: z.string(),
  conversaId: z.optional(z.string()),
  status: z.optional(statusConversaSchema),
})

export const conversaBuscaSchema = z.object({
  conversaId: z.string(),
  protocolo: z.string(),
  cliente: z.string(),
  status: statusConversaSchema,
})

export const produtoBuscaSchema = z.object({ id: z.string(), nome: z.string(), preco: z.number() })

export const buscaSchema = z.object({
  clientes: z.array(clienteBuscaSchema),
  conversas: z.array(conversaBuscaSchema),
  mensagens: z.array(resultadoBuscaSchema),
  produtos: z.array(produtoBuscaSchema),
})
export type Busca = z.infer<typeof buscaSchema>
