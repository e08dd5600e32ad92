import type { SessionKeys } from '@balcao/connector/port'
import type { Lease } from '#modules/bot/repository.ts'
import {
  deleteKeysUnderLease,
  deleteJournalEntry,
  updateKeys,
  listKeys,
  listJournalEntries,
} from '#modules/bot/keys-repository.ts'
import type { BotDeps } from '#bot/deps.ts'

export function createSessionKeys(deps: Pick<BotDeps, 'db' | 'vault' | 'crashPoint'>, lease: Lease): SessionKeys {
  const { db, vault, crashPoint } = deps
  const { contaId, epoca } = lease
  const lugarDaChave = (tipo: string, id: string): string => `whatsapp_chaves|valor|${contaId}|${tipo}|${id}`
  const lugarDaChegada = (id: string): string => `whatsapp_chegadas|valor|${contaId}|${id}`

  return {
    read: async (tipo, ids) => {
      const lines = await db.read(contaId, (tx) => listKeys(tx, contaId, tipo, ids))
      return new Map(lines.map(({ id, valor }) => [id, vault.open(valor, lugarDaChave(tipo, id))]))
    },
    write: async (mudancas, arrivals) => {
      const sealed = {
        changes: mudancas.map(({ tipo, id, valor }) => ({
          tipo,
          id,
          valor: valor === null ? null : vault.seal(valor, lugarDaChave(tipo, id)),
        })),
        entries: arrivals.map(({ id, valor }) => ({ id, valor: vault.seal(valor, lugarDaChegada(id)) })),
      }
      if (arrivals.length > 0) crashPoint('chegada.antes-commit')
      const mine = await db.transaction(contaId, (tx) => updateKeys(tx, contaId, epoca, sealed))
      if (!mine) throw new Error('lease lost')
      if (arrivals.length > 0) crashPoint('chegada.apos-commit')
    },
    clear: async () => {
      const mine = await db.transaction(contaId, (tx) => deleteKeysUnderLease(tx, contaId, epoca))
      if (!mine) throw new Error('lease lost')
    },
    listEntries: async () => {
      const lines = await db.read(contaId, (tx) => listJournalEntries(tx, contaId))
      return lines.map(({ id, valor }) => ({ id, valor: vault.open(valor, lugarDaChegada(id)) }))
    },
    completeEntry: (id) => db.transaction(contaId, (tx) => deleteJournalEntry(tx, contaId, id)),
  }
}
