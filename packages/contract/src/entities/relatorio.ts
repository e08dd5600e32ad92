import * as z from 'zod/mini'

/** Upper bounds of the classes of waiting time, in minutes. The last class has none. */
export const WAIT_CLASSES_MIN = [1, 5, 15, 60] as const

/** Figures of the atendimento in a period. Means are null without data. */

const figures = {
  conversas: z.int(),
  finalizadas: z.int(),
  primeiraRespostaMs: z.nullable(z.number()),
  /** Mean time from the hand-off to the end, in milliseconds. */
  resolucaoMs: z.nullable(z.number()),
  avaliacoes: z.int(),
  notaMedia: z.nullable(z.number()),
  /** Handed over in the period and not answered by a person until now. Absent, as `espera`: a server of the version before. */
  semResposta: z.optional(z.int()),
  /** Time from the hand-off to the first message of a person, in milliseconds. Null without an answer. */
  espera: z.optional(
    z.object({ media: z.nullable(z.number()), mediana: z.nullable(z.number()), p90: z.nullable(z.number()) }),
  ),
}

const salesFigures = { pedidos: z.int(), receitaCentavos: z.int() }

/** Orders that are not cancelled. `receitaCentavos` is the sum of their totals. */
const vendasSchema = z.object({
  /** The sums of `produtos` and of delivery, without the discounts, are the revenue. */
  total: z.object({ ...salesFigures, entregaCentavos: z.int(), descontoCentavos: z.int() }),
  /** The period of the same length before this one. */
  anterior: z.object(salesFigures),
  /** Days with an order, oldest first. */
  dias: z.array(z.object({ dia: z.iso.date(), ...salesFigures })),
  /** Most revenue first, with the name of the last order. */
  produtos: z.array(
    z.object({ produtoId: z.string(), nome: z.string(), quantidade: z.int(), receitaCentavos: z.int() }),
  ),
})
export type Vendas = z.infer<typeof vendasSchema>

export const relatorioSchema = z.object({
  /** First and last local day of the account (`AAAA-MM-DD`), both included. */
  de: z.iso.date(),
  ate: z.iso.date(),
  total: z.object(figures),
  /** The period of the same length before this one. Absent: a server of the version before. */
  anterior: z.optional(z.object(figures)),
  /** Finished because the customer stayed silent. Absent: a server of the version before. */
  encerradasPorSilencio: z.optional(z.int()),
  /** Scheduled messages that were sent. Absent: a server of the version before. */
  agendadasEnviadas: z.optional(z.int()),
  /** Every day of the period, oldest first, including days without conversas. */
  dias: z.array(z.object({ dia: z.iso.date(), ...figures })),
  /** Most conversas first. `setor` is an id. */
  setores: z.array(z.object({ setor: z.string(), ...figures })),
  operadores: z.array(
    z.object({
      operadorId: z.string(),
      operador: z.string(),
      ...figures,
      /** Conversas that the operador serves now. Absent: the server is of the version before. */
      abertas: z.optional(z.int()),
    }),
  ),
  /** Local hours of the day (0 to 23) with any figure, in order. Absent, as the next two: a server of the version before. */
  horas: z.optional(z.array(z.object({ hora: z.int(), ...figures }))),
  /** Conversas by weekday (0 is Sunday) and local hour of their hand-off. Hours without any are absent. */
  mapa: z.optional(z.array(z.object({ diaSemana: z.int(), hora: z.int(), conversas: z.int() }))),
  /**
   * Conversas by the time to their first answer, in all classes of `WAIT_CLASSES_MIN`. `ateMin` is the upper bound in
   * minutes, null for the longest.
   */
  espera: z.optional(z.array(z.object({ ateMin: z.nullable(z.int()), conversas: z.int() }))),
  /** Absent: nothing was sold, or the reader is no owner of a shop. */
  vendas: z.optional(vendasSchema),
})
export type Relatorio = z.infer<typeof relatorioSchema>
