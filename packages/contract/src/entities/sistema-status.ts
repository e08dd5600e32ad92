import * as z from 'zod/mini'
import { statusBotSchema } from './bot-status.ts'

/** `GET /sistema/status` (spec §3 "System status"); every value is measured. */
export const sistemaStatusSchema = z.object({
  /** The account's own session. */
  whatsapp: statusBotSchema,
  servidor: z.literal('online'),
  ia: z.enum(['ativa', 'inativa', 'sem_chave']),
  sistema: z.object({ manutencao: z.boolean() }),
  inicializado: z.boolean(),
  /** Percent of the machine, 0 to 100. */
  cpu: z.number(),
  /** Percent of the machine, 0 to 100. */
  memoria: z.number(),
  /** Seconds, the recent average of this server's answers. */
  tempoResposta: z.number(),
  /** Seconds, the average of the assistant's last answers of the last 24 hours; null when there were none. */
  tempoRespostaIa: z.nullable(z.number()),
  /** Questions of today that the provider did not answer. */
  falhasIaHoje: z.int(),
  mensagensHoje: z.int(),
  /** Percent against yesterday up to the same hour; null without a yesterday. */
  variacaoMensagens: z.nullable(z.number()),
  /** Quality of the session's link, from `ultimoQuadroS`; null while not connected. */
  sinal: z.nullable(z.enum(['forte', 'medio', 'fraco'])),
  /** Seconds since the service last said anything on the link; null while not connected. */
  ultimoQuadroS: z.nullable(z.number()),
})
export type SistemaStatus = z.infer<typeof sistemaStatusSchema>
