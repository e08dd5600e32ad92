import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { deleteWebhookEvents, eventSealContext } from './repository.ts'

const BATCH_SIZE = 200
const eventSchema = z.object({ id: z.string(), ordem: z.coerce.number(), valor: z.string() })

/**
 * Deletes stored webhook events of a customer that the bot has not processed, which would otherwise recreate the
 * contato at the next start. The values are sealed, so each is opened. `patterns` are regular expressions for the
 * addresses.
 */
export async function deleteWebhookEventsOf(
  tx: Tx,
  { vault, log }: Pick<Deps, 'vault' | 'log'>,
  contaId: string,
  patterns: readonly string[],
): Promise<void> {
  const numbers = patterns.map((pattern) => new RegExp(pattern))
  const isTheirs = ({ id, valor }: z.output<typeof eventSchema>): boolean => {
    try {
      const opened = vault.open(valor, eventSealContext(contaId, id))
      return numbers.some((number) => number.test(opened))
    } catch (error) {
      log.warn({ err: error, contaId }, 'webhook event not opened, kept')
      return false
    }
  }
  let after = 0
  for (;;) {
    const events = await tx.rows(
      eventSchema,
      `select id, ordem, valor from oficial_chegadas where conta_id = $1 and ordem > $2 order by ordem limit ${BATCH_SIZE}`,
      [contaId, after],
    )
    const ids = events.filter(isTheirs).map(({ id }) => id)
    if (ids.length > 0) await deleteWebhookEvents(tx, contaId, ids)
    const last = events.at(-1)
    if (last === undefined) return
    after = last.ordem
  }
}
