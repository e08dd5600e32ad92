import * as z from 'zod/mini'
import { deleteMatchingEntries } from '#db/sealed-journal.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { deleteJournalEntries, journalSealContext } from './keys-repository.ts'

const BATCH_SIZE = 200

const listEntries = manyRows(
  'bot: list journal batch',
  z.object({ id: z.string(), ordem: z.number(), valor: z.string() }),
  sql`select id, ordem, valor from whatsapp_chegadas where conta_id = ${contaId} and ordem > ${value('after', 'bigint')}
      order by ordem limit ${rawSql(String(BATCH_SIZE))}`,
)

/**
 * The next session would recreate the contato from messages that WhatsApp delivered and the bot has not stored.
 * `patterns`: regular expressions for the addresses.
 */
export function deleteJournalEntriesOf(
  tx: Tx,
  { vault, log }: Pick<Deps, 'vault' | 'log'>,
  contaId: string,
  patterns: readonly string[],
): Promise<void> {
  return deleteMatchingEntries(
    {
      list: (after) => listEntries(tx, { contaId, after }),
      open: ({ id, valor }) => vault.open(valor, journalSealContext(contaId, id)),
      remove: async (ids) => {
        await deleteJournalEntries(tx, { contaId, ids })
      },
      unreadable: (error) => log.warn({ err: error, contaId }, 'journal entry not opened, kept'),
    },
    patterns,
  )
}

const OLD_BATCH = 1_000

export const deleteOldJournalEntries = noRows(
  'bot: delete old journal',
  sql`delete from whatsapp_chegadas where conta_id = ${contaId} and id = any (array(
        select id from whatsapp_chegadas where conta_id = ${contaId} and chegou_em < ${value('em', 'timestamptz')}
        order by ordem limit ${rawSql(String(OLD_BATCH))}))`,
)
