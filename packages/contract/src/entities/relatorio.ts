import * as z from 'zod/mini'

/** The account's numbers of human support over some days. Means are null where nothing was measured. */

const numeros = {
  /** Handed to people in the period. */
  conversas: z.int(),
  finalizadas: z.int(),
  /** Mean from the hand-off to a person's first message, in milliseconds. */
  primeiraRespostaMs: z.nullable(z.number()),
  /** Mean from the hand-off to the end, in milliseconds. */
  resolucaoMs: z.nullable(z.number()),
  avaliacoes: z.int(),
  /** 0 to 5. */
  notaMedia: z.nullable(z.number()),
}

export const relatorioSchema = z.object({
  /** Local days of the account, `AAAA-MM-DD`, both included. */
  de: z.iso.date(),
  ate: z.iso.date(),
  total: z.object(numeros),
  /** Every day of the period, oldest first, the quiet ones as well. */
  dias: z.array(z.object({ dia: z.iso.date(), ...numeros })),
  /** Most conversations first; `setor` is an id. */
  setores: z.array(z.object({ setor: z.string(), ...numeros })),
  operadores: z.array(z.object({ operadorId: z.string(), operador: z.string(), ...numeros })),
})
export type Relatorio = z.infer<typeof relatorioSchema>
