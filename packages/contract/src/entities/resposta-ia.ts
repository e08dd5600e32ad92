import * as z from 'zod/mini'
import { instantSchema } from './common.ts'
import { trechoSchema } from './fonte.ts'

/** A claim in an answer that only the shop can make: a price, a time, a link and the like. */
export const afirmacaoSchema = z.object({
  /** As the answer has it. */
  texto: z.string(),
  /** Null: nothing of the shop says it. */
  apoio: z.nullable(
    z.object({
      tipo: z.enum(['produto', 'horario', 'configuracao', 'fonte', 'ferramenta']),
      /** Of the produto or the source, or the name of the tool. */
      id: z.optional(z.string()),
      /** The words that support it. */
      trecho: z.optional(z.string()),
    }),
  ),
})
export type Afirmacao = z.infer<typeof afirmacaoSchema>

/** Input and output of one AI answer, kept for 30 days for the screen 'Por que respondeu isto?'. */
export const respostaIaSchema = z.object({
  mensagemId: z.string(),
  modelo: z.string(),
  temperatura: z.number(),
  instrucoes: z.string(),
  /** Earlier messages sent along, oldest first, with personal data masked. */
  historico: z.array(z.object({ de: z.enum(['cliente', 'bot']), texto: z.string() })),
  pergunta: z.string(),
  resposta: z.string(),
  ferramentas: z.array(z.object({ nome: z.string(), pedido: z.string(), resultado: z.string() })),
  /** Pieces of the shop's sources that were sent along. Absent in answers of older versions. */
  trechos: z.optional(z.array(trechoSchema)),
  tokensEntrada: z.int(),
  tokensSaida: z.int(),
  duracaoMs: z.int(),
  criadaEm: instantSchema,
  afirmacoes: z._default(z.array(afirmacaoSchema), []),
  /** The customer did not receive it, because a statement had no support. */
  retida: z._default(z.boolean(), false),
})
export type RespostaIa = z.infer<typeof respostaIaSchema>

const tokenCounts = { perguntas: z.int(), tokensEntrada: z.int(), tokensSaida: z.int() }

export const usoIaSchema = z.object({
  hoje: z.object(tokenCounts),
  /** The last 30 days with any use, newest first. */
  dias: z.array(z.object({ dia: z.iso.date(), ...tokenCounts })),
  /** The current month in the time zone of the account. The cost is an estimate from the price lists of the providers. */
  mes: z.object({
    mes: z.string().check(z.regex(/^\d{4}-\d{2}$/)),
    custoCentavos: z.int(),
    /** Null: no limit. */
    orcamentoCentavos: z.nullable(z.int()),
  }),
})
export type UsoIa = z.infer<typeof usoIaSchema>
