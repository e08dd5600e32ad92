import * as z from 'zod/mini'
import { CONECTORES } from '#constants.ts'
import { statusBotSchema } from './bot-status.ts'

export const sistemaStatusSchema = z.object({
  whatsapp: statusBotSchema,
  /** `instavel` while a part that readiness checks fails. */
  servidor: z.enum(['online', 'instavel']),
  ia: z.enum(['ativa', 'inativa', 'sem_chave']),
  sistema: z.object({ manutencao: z.boolean() }),
  inicializado: z.boolean(),
  /** The connectors of this server. Older servers do not send them. */
  conectores: z.optional(z.array(z.enum(CONECTORES))),
  /** Percent of the machine, 0 to 100. */
  cpu: z.number(),
  memoria: z.number(),
  /** Mean response time of this server, in seconds. */
  tempoResposta: z.number(),
  /** Mean time of the latest AI answers in the last 24 hours, in seconds. Null without answers. */
  tempoRespostaIa: z.nullable(z.number()),
  /** Questions of today that the AI provider failed to answer. */
  falhasIaHoje: z.int(),
  mensagensHoje: z.int(),
  /** Change in percent against yesterday up to the same hour. Null without messages yesterday. */
  variacaoMensagens: z.nullable(z.number()),
  /** Link quality derived from `ultimoQuadroS`. Null while disconnected. */
  sinal: z.nullable(z.enum(['forte', 'medio', 'fraco'])),
  /** Seconds since the last data from the messaging service. Null while disconnected. */
  ultimoQuadroS: z.nullable(z.number()),
})
export type SistemaStatus = z.infer<typeof sistemaStatusSchema>
