import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

const BATCH_SIZE = 200
const eventSchema = z.object({ id: z.string(), ordem: z.coerce.number(), valor: z.string() })

/**
 * Deletes stored webhook events of a customer that the bot has not processed, which would otherwise recreate the
 * contato at the next start. The values are sealed, so each is opened. `padroes` are regular expressions for the
 * phone number.
 */
export async function deleteWebhookEventsOf(
  tx: Tx,
  { vault, log }: Pick<Deps, 'vault' | 'log'>,
  contaId: string,
  patterns: readonly string[],
): Promise<void> {
  const numeros = patterns.map((padrao) => new RegExp(padrao))
  const dele = ({ id, valor }: z.output<typeof eventSchema>): boolean => {
    try {
      const aberto = vault.open(valor, `oficial_chegadas|valor|${contaId}|${id}`)
      return numeros.some((numero) => numero.test(aberto))
    } catch (error) {
      log.warn({ err: error, contaId }, 'webhook event not opened, kept')
      return false
    }
  }
  let depoisDe = 0
  for (;;) {
    const arrivals = await tx.rows(
      eventSchema,
      `select id, ordem, valor from oficial_chegadas where conta_id = $1 and ordem > $2 order by ordem limit ${BATCH_SIZE}`,
      [contaId, depoisDe],
    )
    const ids = arrivals.filter(dele).map(({ id }) => id)
    if (ids.length > 0) {
      await tx.query('delete from oficial_chegadas where conta_id = $1 and id = any ($2::text[])', [contaId, ids])
    }
    const last = arrivals.at(-1)
    if (last === undefined) return
    depoisDe = last.ordem
  }
}
