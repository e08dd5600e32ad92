import * as z from 'zod/mini'
import type { SessionKeys } from '@balcao/connector/port'
import {
  deleteJournalEntries,
  deleteKeysUnderLease,
  journalSealContext,
  type Lease,
  listJournalEntries,
  listKeys,
  updateCredentials,
  updateKeys,
} from '#modules/bot/index.ts'
import type { Tx } from '#db/transaction.ts'
import type { FencedWrite } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import { countRefused } from '#bot/fences.ts'

interface SealedRow {
  readonly id: string
  readonly valor: string
}

const sealedSchema = z.string()

function credentialsPlace(contaId: string): string {
  return `bots|credenciais|${contaId}|sessao`
}

/** Returns the connector's credentials, or null before the first pairing or when they cannot be decrypted. */
export function openCredentials(deps: Pick<BotDeps, 'vault' | 'log'>, { contaId, credenciais }: Lease): unknown {
  const sealed = sealedSchema.safeParse(credenciais)
  if (!sealed.success) return null
  try {
    return JSON.parse(deps.vault.open(sealed.data, credentialsPlace(contaId)))
  } catch (error) {
    deps.log.warn({ err: error, contaId }, 'stored credentials not readable, pairing again')
    return null
  }
}

export async function saveCredentials(
  deps: Pick<BotDeps, 'vault' | 'db' | 'metrics'>,
  lease: Lease,
  credentials: unknown,
): Promise<void> {
  const sealed = deps.vault.seal(JSON.stringify(credentials), credentialsPlace(lease.contaId))
  await writeFenced(deps, lease, 'credenciais', async (tx) => (await updateCredentials(tx, { ...lease, sealed })) === 1)
}

/** Keys and journal of one session, sealed for their conta and id. */
export function createSessionKeys(
  deps: Pick<BotDeps, 'db' | 'vault' | 'crashPoint' | 'metrics' | 'log'>,
  lease: Lease,
): SessionKeys {
  const { db, vault, crashPoint } = deps
  const { contaId } = lease
  const keyPlace = (tipo: string, id: string): string => `whatsapp_chaves|valor|${contaId}|${tipo}|${id}`
  const entryPlace = (id: string): string => journalSealContext(contaId, id)
  /** Leaves out what cannot be read: without a key the library asks the phone for a new one. */
  const openAll = (rows: readonly SealedRow[], placeOf: (id: string) => string): SealedRow[] => {
    const opened = rows.flatMap(({ id, valor: sealed }) => {
      const valor = vault.tryOpen(sealed, placeOf(id))
      return valor === null ? [] : [{ id, valor }]
    })
    const lost = rows.length - opened.length
    if (lost > 0) deps.log.error({ contaId, rows: lost }, 'session keys or messages not opened, key changed')
    return opened
  }

  return {
    read: async (tipo, ids) => {
      const rows = await db.read(contaId, (tx) => listKeys(tx, { contaId, tipo, ids }))
      return new Map(openAll(rows, (id) => keyPlace(tipo, id)).map(({ id, valor }) => [id, valor]))
    },
    write: async (changes, arrivals) => {
      const sealed = {
        changes: changes.map(({ tipo, id, valor }) => ({
          tipo,
          id,
          valor: valor === null ? null : vault.seal(valor, keyPlace(tipo, id)),
        })),
        entries: arrivals.map(({ id, valor }) => ({ id, valor: vault.seal(valor, entryPlace(id)) })),
      }
      if (arrivals.length > 0) crashPoint('chegada.antes-commit')
      await writeFenced(deps, lease, 'chaves', (tx) => updateKeys(tx, lease, sealed))
      if (arrivals.length > 0) crashPoint('chegada.apos-commit')
    },
    clear: async () => {
      await writeFenced(deps, lease, 'chaves', (tx) => deleteKeysUnderLease(tx, lease))
    },
    listEntries: async () => {
      const rows = await db.read(contaId, (tx) => listJournalEntries(tx, { contaId }))
      return openAll(rows, entryPlace)
    },
    completeEntry: async (id) => {
      await db.transaction(contaId, (tx) => deleteJournalEntries(tx, { contaId, ids: [id] }))
    },
  }
}

/** Throws when `write` returns false, because the lease is not current. */
async function writeFenced(
  deps: Pick<BotDeps, 'db' | 'metrics'>,
  lease: Lease,
  kind: FencedWrite,
  write: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const written = await deps.db.transaction(lease.contaId, async (tx) => {
    if (await write(tx)) return true
    await countRefused(tx, deps, { kind, leases: [lease] })
    return false
  })
  if (!written) throw new Error('lease lost')
}
