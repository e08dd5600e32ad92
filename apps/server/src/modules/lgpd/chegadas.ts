import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

const POR_VEZ = 200
const chegadaSchema = z.object({ id: z.string(), ordem: z.coerce.number(), valor: z.string() })

/**
 * Deletes stored webhook events of a customer that the bot has not processed, which would otherwise recreate the
 * contato at the next start. The values are sealed, so each is opened. `padroes` are regular expressions for the
 * phone number.
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
      log.warn({ err: error, contaId }, 'webhook event not opened, kept')
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
