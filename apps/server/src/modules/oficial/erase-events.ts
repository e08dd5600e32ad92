import * as z from 'zod/mini'
import { deleteMatchingEntries } from '#db/sealed-journal.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { deleteWebhookEvents, eventSealContext } from './repository.ts'

const BATCH_SIZE = 200

const listEvents = manyRows(
  'oficial: list events to erase',
  z.object({ id: z.string(), ordem: z.number(), valor: z.string() }),
  sql`select id, ordem, valor from oficial_chegadas
    where conta_id = ${contaId} and ordem > ${value('after', 'bigint')}
    order by ordem limit ${rawSql(String(BATCH_SIZE))}`,
)

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
      list: (after) => listEvents(tx, { contaId, after }),
      open: ({ id, valor }) => vault.open(valor, eventSealContext(contaId, id)),
      remove: async (ids) => {
        await deleteWebhookEvents(tx, { contaId, ids })
      },
      unreadable: (error) => log.warn({ err: error, contaId }, 'webhook event not opened, kept'),
    },
    patterns,
  )
}
