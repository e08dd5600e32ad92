import * as z from 'zod/mini'

/** The year 2286. */
const SEGUNDOS_MAXIMO = 1e10

/** Meta's seconds, in digits, as an instant; null for what is none: no message is lost for its clock. */
export const instanteSchema = z.pipe(
  z.unknown(),
  z.transform((valor) => {
    const segundos = Number(valor)
    return segundos > 0 && segundos < SEGUNDOS_MAXIMO ? new Date(segundos * 1000) : null
  }),
)
