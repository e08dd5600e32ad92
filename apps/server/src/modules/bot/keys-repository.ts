import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { JournalEntry, KeyChange } from '@balcao/connector/port'
import type { LeaseKey } from '#ports/bots.ts'

const keySchema = z.object({ id: z.string(), valor: z.string() })

export async function listKeys(tx: Tx, contaId: string, tipo: string, ids: readonly string[]): Promise<JournalEntry[]> {
  return tx.rows(
    keySchema,
    'select id, valor from whatsapp_chaves where conta_id = $1 and tipo = $2 and id = any ($3::text[])',
    [contaId, tipo, ids],
  )
}

/**
 * Locks the lease row for the write. Nothing is written after another node took the lease or after the credentials
 * were deleted.
 */
const WRITE_KEYS_SQL = `
with dono as (
  select 1 from bots where conta_id = $1 and no = $2 and epoca = $3 and credenciais is not null for share
), apagadas as (
  delete from whatsapp_chaves c using unnest($4::text[], $5::text[]) as i (tipo, id)
  where c.conta_id = $1 and c.tipo = i.tipo and c.id = i.id and exists (select 1 from dono)
), gravadas as (
  insert into whatsapp_chaves (conta_id, tipo, id, valor)
  select $1, i.tipo, i.id, i.valor from unnest($6::text[], $7::text[], $8::text[]) as i (tipo, id, valor)
  where exists (select 1 from dono)
  on conflict (conta_id, tipo, id) do update set valor = excluded.valor
), chegadas as (
  insert into whatsapp_chegadas (conta_id, id, valor)
  select $1, i.id, i.valor from unnest($9::text[], $10::text[]) as i (id, valor) where exists (select 1 from dono)
  on conflict (conta_id, id) do nothing
)
select exists (select 1 from dono) as minha`

export interface KeyWrite {
  readonly changes: readonly KeyChange[]
  readonly entries: readonly JournalEntry[]
}

/** Returns false and writes nothing when another node holds the lease or the credentials were deleted. */
export async function updateKeys(
  tx: Tx,
  { contaId, no, epoca }: LeaseKey,
  { changes, entries }: KeyWrite,
): Promise<boolean> {
  const deleted = changes.filter(({ valor }) => valor === null)
  const stored = changes.filter(({ valor }) => valor !== null)
  const { rows } = await tx.queryNamed<{ minha: boolean }>('whatsapp-gravar', WRITE_KEYS_SQL, [
    ...[contaId, no, epoca],
    deleted.map(({ tipo }) => tipo),
    deleted.map(({ id }) => id),
    stored.map(({ tipo }) => tipo),
    stored.map(({ id }) => id),
    stored.map(({ valor }) => valor),
    entries.map(({ id }) => id),
    entries.map(({ valor }) => valor),
  ])
  return rows[0]?.minha === true
}

export async function deleteKeys(tx: Tx, contaId: string): Promise<void> {
  await tx.query('delete from whatsapp_chaves where conta_id = $1', [contaId])
}

/**
 * Deletes the keys but keeps messages that were read and not yet received. Returns false and deletes nothing when
 * another node holds the lease.
 */
export async function deleteKeysUnderLease(tx: Tx, { contaId, no, epoca }: LeaseKey): Promise<boolean> {
  const { rowCount } = await tx.query('select 1 from bots where conta_id = $1 and no = $2 and epoca = $3 for share', [
    ...[contaId, no, epoca],
  ])
  if (rowCount === 1) await deleteKeys(tx, contaId)
  return rowCount === 1
}

export async function listJournalEntries(tx: Tx, contaId: string): Promise<JournalEntry[]> {
  return tx.rows(keySchema, 'select id, valor from whatsapp_chegadas where conta_id = $1 order by ordem', [contaId])
}

export async function deleteJournalEntries(tx: Tx, contaId: string, ids: readonly string[]): Promise<void> {
  await tx.query('delete from whatsapp_chegadas where conta_id = $1 and id = any ($2::text[])', [contaId, ids])
}

export function journalSealContext(contaId: string, id: string): string {
  return `whatsapp_chegadas|valor|${contaId}|${id}`
}

/** Deletes the keys whose id matches one of these POSIX regular expressions. */
export async function deleteKeysMatching(tx: Tx, contaId: string, patterns: readonly string[]): Promise<void> {
  await tx.query('delete from whatsapp_chaves where conta_id = $1 and id ~ any ($2::text[])', [contaId, patterns])
}
