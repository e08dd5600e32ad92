import * as z from 'zod/mini'
import { clienteSchema } from './conversa.ts'
import { instantSchema } from './common.ts'

export const avaliacaoSchema = z.object({
  id: z.string(),
  nota: z.int().check(z.gte(0), z.lte(5)),
  cliente: clienteSchema,
  conversaId: z.optional(z.string()),
  protocolo: z.optional(z.string()),
  setor: z.optional(z.string()),
  operador: z.optional(z.string()),
  /** Given in a test (`teste-avaliacao`). Counted in these statistics, left out of reports. */
  teste: z.optional(z.boolean()),
  criadaEm: instantSchema,
})
export type Avaliacao = z.infer<typeof avaliacaoSchema>

export const avaliacaoStatsSchema = z.object({
  totalAvaliacoes: z.int(),
  notaMedia: z.nullable(z.number()),
  distribuicaoNotas: z.object({ 0: z.int(), 1: z.int(), 2: z.int(), 3: z.int(), 4: z.int(), 5: z.int() }),
  ultimasAvaliacoes: z.array(avaliacaoSchema),
  /** Most ratings first. `setor` is an id. */
  porSetor: z.array(z.object({ setor: z.string(), total: z.int(), notaMedia: z.number() })),
  porOperador: z.array(
    z.object({ operadorId: z.string(), operador: z.string(), total: z.int(), notaMedia: z.number() }),
  ),
})
export type AvaliacaoStats = z.infer<typeof avaliacaoStatsSchema>
