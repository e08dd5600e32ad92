import * as z from 'zod/mini'
import type { JournalEntry, KeyChange } from '@balcao/connector/port'
import { columns, contaId, linhaId, sql, value, rawSql } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { LeaseKey } from '#ports/bots.ts'
import { deleteMatchingEntries, entriesAfter } from '#db/sealed-journal.ts'
import type { Deps } from '#deps.ts'

const keySchema = z.object({ id: z.string(), valor: z.string() })
const ids = value('ids', 'text[]')
const no = value('no', 'uuid')
const epoca = value('epoca', 'bigint')

export const listKeys = manyRows(
  'chaves: list keys',
  keySchema,
  sql`select id, valor from linhas_chaves
    where linha_id = ${linhaId} and tipo = ${value('tipo', 'text')} and id = any (${ids})`,
)

/** Locks the lease row. Writes nothing after another node took the lease or after the credentials were deleted. */
const writeKeys = oneValue(
  'whatsapp-gravar',
  z.boolean(),
  sql`
with dono as (
  select 1 from linhas_bots where linha_id = ${linhaId} and no = ${no} and epoca = ${epoca} and credenciais is not null for share
), apagadas as (
  delete from linhas_chaves c using ${columns('deleted', { tipo: 'text', id: 'text' })}
  where c.linha_id = ${linhaId} and c.tipo = deleted.tipo and c.id = deleted.id and exists (select 1 from dono)
), gravadas as (
  insert into linhas_chaves (conta_id, linha_id, tipo, id, valor)
  select ${contaId}, ${linhaId}, tipo, id, valor from ${columns('stored', { tipo: 'text', id: 'text', valor: 'text?' })}
  where exists (select 1 from dono)
  on conflict (linha_id, tipo, id) do update set valor = excluded.valor
), chegadas as (
  insert into linhas_chegadas (conta_id, linha_id, id, valor)
  select ${contaId}, ${linhaId}, id, valor from ${columns('entries', { id: 'text', valor: 'text' })} where exists (select 1 from dono)
  on conflict (linha_id, id) do nothing
)
select exists (select 1 from dono) as value`,
  { prepared: true },
)

export function updateKeys(
  tx: Tx,
  lease: LeaseKey,
  { changes, entries }: { readonly changes: readonly KeyChange[]; readonly entries: readonly JournalEntry[] },
): Promise<boolean> {
  const deleted = changes.filter(({ valor }) => valor === null)
  const stored = changes.filter(({ valor }) => valor !== null)
  return writeKeys(tx, { ...lease, deleted, stored, entries })
}

export const deleteKeys = noRows('chaves: delete keys', sql`delete from linhas_chaves where linha_id = ${linhaId}`)

const lockLease = manyRows(
  'chaves: lock lease',
  z.object({ linhaId: z.string() }),
  sql`select linha_id from linhas_bots where linha_id = ${linhaId} and no = ${no} and epoca = ${epoca} for share`,
)

/** Keeps messages that were read and not yet received. False: another node holds the lease. */
export async function deleteKeysUnderLease(tx: Tx, lease: LeaseKey): Promise<boolean> {
  if ((await lockLease(tx, lease)).length === 0) return false
  await deleteKeys(tx, lease)
  return true
}

export const listJournalEntries = manyRows(
  'chaves: list journal',
  keySchema,
  sql`select id, valor from linhas_chegadas where linha_id = ${linhaId} order by ordem`,
)

export const deleteJournalEntries = noRows(
  'chaves: delete journal',
  sql`delete from linhas_chegadas where linha_id = ${linhaId} and id = any (${ids})`,
)

export function journalSealContext(linhaId: string, id: string): string {
  return `whatsapp_chegadas|valor|${linhaId}|${id}`
}

const listLinesWithBot = manyRows(
  'chaves: list lines',
  z.object({ linhaId: z.string() }),
  sql`select linha_id from linhas_bots where conta_id = ${contaId}`,
)

const ofConta = sql`linha_id in (select b.linha_id from linhas_bots b where b.conta_id = ${contaId})`

/** Of all lines. `patterns`: POSIX regular expressions for the ids. */
export const deleteKeysMatching = noRows(
  'chaves: delete keys that match',
  sql`delete from linhas_chaves where ${ofConta} and id ~ any (${value('patterns', 'text[]')})`,
)

const listEntries = entriesAfter('chaves: list journal batch', 'linhas_chegadas')

/**
 * Of all lines. The next session would recreate the contato from messages that WhatsApp delivered and the bot has not
 * stored.
 * `patterns`: regular expressions for the addresses.
 */
export async function deleteJournalEntriesOf(
  tx: Tx,
  { vault, log }: Pick<Deps, 'vault' | 'log'>,
  contaId: string,
  patterns: readonly string[],
): Promise<void> {
  for (const { linhaId } of await listLinesWithBot(tx, { contaId })) {
    await deleteMatchingEntries(
      {
        list: (after) => listEntries(tx, { linhaId, after }),
        open: ({ id, valor }) => vault.open(valor, journalSealContext(linhaId, id)),
        remove: async (ids) => {
          await deleteJournalEntries(tx, { linhaId, ids })
        },
        unreadable: (error) => log.warn({ err: error, contaId, linhaId }, 'journal entry not opened, kept'),
      },
      patterns,
    )
  }
}

const OLD_BATCH = 1_000

export const deleteOldJournalEntries = noRows(
  'chaves: delete old journal',
  sql`delete from linhas_chegadas where ctid = any (array(
        select ctid from linhas_chegadas where ${ofConta} and chegou_em < ${value('em', 'timestamptz')}
        order by ordem limit ${rawSql(String(OLD_BATCH))}))`,
)
