import * as z from 'zod/mini'

/** Figures of the atendimento in a period. Means are null without data. */

const figures = {
  /** Handed to people in the period. */
  conversas: z.int(),
  finalizadas: z.int(),
  /** Mean time from the hand-off to the first message of a person, in milliseconds. */
  primeiraRespostaMs: z.nullable(z.number()),
  /** Mean time from the hand-off to the end, in milliseconds. */
  resolucaoMs: z.nullable(z.number()),
  avaliacoes: z.int(),
  /** 0 to 5. */
  notaMedia: z.nullable(z.number()),
}

export const relatorioSchema = z.object({
  /** First and last local day of the account (`AAAA-MM-DD`), both included. */
  de: z.iso.date(),
  ate: z.iso.date(),
  total: z.object(figures),
  /** Every day of the period, oldest first, including days without conversas. */
  dias: z.array(z.object({ dia: z.iso.date(), ...figures })),
  /** Most conversas first. `setor` is an id. */
  setores: z.array(z.object({ setor: z.string(), ...figures })),
  operadores: z.array(z.object({ operadorId: z.string(), operador: z.string(), ...figures })),
})
export type Relatorio = z.infer<typeof relatorioSchema>
