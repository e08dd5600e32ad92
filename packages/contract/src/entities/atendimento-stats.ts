import * as z from 'zod/mini'

export const atendimentoStatsSchema = z.object({
  total: z.int(),
  aguardando: z.int(),
  emAtendimento: z.int(),
  finalizadasHoje: z.int(),
  tempoMedioRespostaMs: z.nullable(z.number()),
  porSetor: z.array(z.object({ setor: z.string(), total: z.int(), aguardando: z.int() })),
})
export type AtendimentoStats = z.infer<typeof atendimentoStatsSchema>
