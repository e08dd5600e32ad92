import * as z from 'zod/mini'
import { deleteMatchingEntries } from '#db/sealed-journal.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { deleteJournalEntries, journalSealContext } from './keys-repository.ts'

const BATCH_SIZE = 200
const entrySchema = z.object({ id: z.string(), ordem: z.coerce.number(), valor: z.string() })

/**
 * Deletes messages of a customer that WhatsApp delivered and the bot has not stored, for example after a crash. The
 * next session would otherwise recreate the contato. `patterns` are regular expressions for the addresses.
 */
export function deleteJournalEntriesOf(
  tx: Tx,
  { vault, log }: Pick<Deps, 'vault' | 'log'>,
  contaId: string,
  patterns: readonly string[],
): Promise<void> {
  return deleteMatchingEntries(
    {
      list: (after) =>
        tx.rows(
          entrySchema,
          `select id, ordem, valor from whatsapp_chegadas where conta_id = $1 and ordem > $2 order by ordem limit ${BATCH_SIZE}`,
          [contaId, after],
        ),
      open: ({ id, valor }) => vault.open(valor, journalSealContext(contaId, id)),
      remove: (ids) => deleteJournalEntries(tx, contaId, ids),
      unreadable: (error) => log.warn({ err: error, contaId }, 'journal entry not opened, kept'),
    },
    patterns,
  )
}

const OLD_BATCH = 1_000

/** Deletes one batch of entries that no session stored in time. Returns the number of rows. */
export async function deleteOldJournalEntries(tx: Tx, contaId: string, { em }: { readonly em: Date }): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from whatsapp_chegadas where conta_id = $1 and id = any (array(
       select id from whatsapp_chegadas where conta_id = $1 and chegou_em < $2 order by ordem limit ${OLD_BATCH}))`,
    [contaId, em],
  )
  return rowCount ?? 0
}
