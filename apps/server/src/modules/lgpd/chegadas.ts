import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

const POR_VEZ = 200
const chegadaSchema = z.object({ id: z.string(), ordem: z.coerce.number(), valor: z.string() })

/**
 * Erases what Meta brought of a customer and no bot took yet: with the bot stopped it waits, and would bring the customer back
 * at the next start. It is sealed, so each is opened and looked at. `padroes`: regular expressions that find their number.
 */
export async function deleteChegadas(
  tx: Tx,
  { cofre, log }: Pick<Deps, 'cofre' | 'log'>,
  contaId: string,
  padroes: readonly string[],
): Promise<void> {
  const numeros = padroes.map((padrao) => new RegExp(padrao))
  const dele = ({ id, valor }: z.output<typeof chegadaSchema>): boolean => {
    try {
      const aberto = cofre.open(valor, `oficial_chegadas|valor|${contaId}|${id}`)
      return numeros.some((numero) => numero.test(aberto))
    } catch (error) {
      log.warn({ err: error, contaId }, 'what Meta brought does not open')
      return false
    }
  }
  let depoisDe = 0
  for (;;) {
    const chegadas = await tx.rows(
      chegadaSchema,
      `select id, ordem, valor from oficial_chegadas where conta_id = $1 and ordem > $2 order by ordem limit ${POR_VEZ}`,
      [contaId, depoisDe],
    )
    const ids = chegadas.filter(dele).map(({ id }) => id)
    if (ids.length > 0) {
      await tx.query('delete from oficial_chegadas where conta_id = $1 and id = any ($2::text[])', [contaId, ids])
    }
    const ultima = chegadas.at(-1)
    if (ultima === undefined) return
    depoisDe = ultima.ordem
  }
}
