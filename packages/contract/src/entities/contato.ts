import * as z from 'zod/mini'
import { idSchema, instantSchema, nomeSchema } from './common.ts'

export const OBSERVACAO_MAXIMA = 2_000
export const ETIQUETAS_POR_CONTATO = 30

/** A customer, or a person whom the shop wrote down. */
export const contatoSchema = z.object({
  id: z.string(),
  /** May be empty. A name written in the panel wins over the name that the service sends. */
  nome: z.string(),
  /** Digits with country code. Empty when the service hides the number. */
  telefone: z.string(),
  /** User name at the service, without `@`. */
  nomeUsuario: z.optional(z.string()),
  /** Ids, in order of the etiquetas' names. */
  etiquetas: z.array(z.string()),
  observacao: z.string(),
  criadoEm: instantSchema,
  ultimaAtividade: instantSchema,
  /** The open conversa with people, if the reader may see it. */
  conversaAbertaId: z.optional(z.string()),
  /** The customer wrote `PARAR`. */
  pediuParada: z.optional(z.literal(true)),
})
export type Contato = z.infer<typeof contatoSchema>

const etiquetas = z
  .array(idSchema)
  .check(z.maxLength(ETIQUETAS_POR_CONTATO, `Use no máximo ${ETIQUETAS_POR_CONTATO} etiquetas`))
const observacao = z
  .string()
  .check(z.trim(), z.maxLength(OBSERVACAO_MAXIMA, `A observação deve ter no máximo ${OBSERVACAO_MAXIMA} caracteres`))

/** True: refuses with `contatoApagado` a new contato whose number was erased at the customer's request. */
export const conferirApagadoSchema = z._default(z.boolean(), false)

export const contatoInputSchema = z.object({
  nome: nomeSchema,
  /** A number in any notation. Without country code it is Brazilian. */
  telefone: z
    .string('Informe um telefone com DDD')
    .check(z.trim(), z.minLength(1, 'Informe um telefone com DDD'), z.maxLength(40, 'Informe um telefone com DDD')),
  etiquetas: z._default(etiquetas, []),
  observacao: z._default(observacao, ''),
  conferirApagado: conferirApagadoSchema,
})

export const contatoPatchSchema = z.object({
  nome: z.optional(nomeSchema),
  etiquetas: z.optional(etiquetas),
  observacao: z.optional(observacao),
})

export const IMPORTACAO_LINHAS_MAXIMO = 50_000

export const importacaoSchema = z.object({
  novos: z.int(),
  atualizados: z.int(),
  iguais: z.int(),
  /** Of `novos`: erased before at the customer's request. Absent: the server is older than the count. */
  apagados: z.optional(z.int()),
  /** `linha` is the line of the file, beginning with 1. */
  recusados: z.array(z.object({ linha: z.int(), motivo: z.string() })),
})
export type Importacao = z.infer<typeof importacaoSchema>
