import * as z from 'zod/mini'
import { instanteSchema } from './comum.ts'

/** What an answer of the assistant was made from, kept for 30 days: 'Por que respondeu isto?'. */
export const respostaIaSchema = z.object({
  mensagemId: z.string(),
  /** The model that answered, by the provider's name. */
  modelo: z.string(),
  temperatura: z.number(),
  /** The system prompt, exactly as it was sent. */
  instrucoes: z.string(),
  /** Remembered lines, oldest first, with personal data masked as they left. */
  historico: z.array(z.object({ de: z.enum(['cliente', 'bot']), texto: z.string() })),
  pergunta: z.string(),
  resposta: z.string(),
  /** What the model asked for on the way. */
  ferramentas: z.array(z.object({ nome: z.string(), pedido: z.string(), resultado: z.string() })),
  tokensEntrada: z.int(),
  tokensSaida: z.int(),
  duracaoMs: z.int(),
  criadaEm: instanteSchema,
})
export type RespostaIa = z.infer<typeof respostaIaSchema>

const contagem = { perguntas: z.int(), tokensEntrada: z.int(), tokensSaida: z.int() }

/** Tokens spent, by local day of the account. */
export const usoIaSchema = z.object({
  hoje: z.object(contagem),
  /** The last 30 days with any use, newest first. */
  dias: z.array(z.object({ dia: z.iso.date(), ...contagem })),
})
export type UsoIa = z.infer<typeof usoIaSchema>
