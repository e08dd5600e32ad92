import * as z from 'zod/mini'
import { deleteMatchingEntries } from '#db/sealed-journal.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { deleteWebhookEvents, eventSealContext } from './repository.ts'

const BATCH_SIZE = 200
const eventSchema = z.object({ id: z.string(), ordem: z.coerce.number(), valor: z.string() })

/**
 * Deletes stored webhook events of a customer that the bot has not processed, which would otherwise recreate the
 * contato at the next start. `patterns` are regular expressions for the addresses.
 */
export function deleteWebhookEventsOf(
  tx: Tx,
  { vault, log }: Pick<Deps, 'vault' | 'log'>,
  contaId: string,
  patterns: readonly string[],
): Promise<void> {
  return deleteMatchingEntries(
    {
      list: (after) =>
        tx.rows(
          eventSchema,
          `select id, ordem, valor from oficial_chegadas where conta_id = $1 and ordem > $2 order by ordem limit ${BATCH_SIZE}`,
          [contaId, after],
        ),
      open: ({ id, valor }) => vault.open(valor, eventSealContext(contaId, id)),
      remove: (ids) => deleteWebhookEvents(tx, contaId, ids),
      unreadable: (error) => log.warn({ err: error, contaId }, 'webhook event not opened, kept'),
    },
    patterns,
  )
}
