import type { Deps } from '#deps.ts'
import type { Bus } from '#ports/bus.ts'
import type { OficialJournal } from '#ports/oficial.ts'
import { deleteMatchingEntries, entriesAfter } from '#db/sealed-journal.ts'
import type { Tx } from '#db/transaction.ts'
import {
  delayWebhookEvents,
  deleteWebhookEvents,
  findOficialConta,
  listWebhookEvents,
  openSecret,
  eventSealContext,
} from './repository.ts'

const CHANNEL = 'oficial'
/** They wait until the retention deletes them: with the lost key back in APP_SECRET they are delivered. */
const UNREADABLE_TEXT = 'webhook entries not opened, key changed'

export function createOficialJournal({
  db,
  vault,
  log,
  bus,
}: Pick<Deps, 'db' | 'vault' | 'log'> & { readonly bus: Bus }): {
  readonly journal: OficialJournal
  /** Notifies the node that runs the bot of the conta. */
  readonly wake: (contaId: string) => void
  readonly arrived: (contaId: string) => void
} {
  const listeners = new Map<string, () => void>()
  const arrived = (contaId: string): void => listeners.get(contaId)?.()
  bus.subscribe(CHANNEL, arrived)

  const journal: OficialJournal = {
    findNumber: async (contaId) => {
      const conta = await db.read(contaId, (tx) => findOficialConta(tx, { contaId }))
      if (conta === null || conta.telefoneId === '' || conta.contaWhatsappId === '' || conta.token === '') return null
      return {
        telefoneId: conta.telefoneId,
        contaWhatsappId: conta.contaWhatsappId,
        token: openSecret(vault, contaId, 'token', conta.token),
      }
    },
    listEntries: async (contaId, skip) => {
      for (;;) {
        const lines = await db.read(contaId, (tx) => listWebhookEvents(tx, { contaId, skip }))
        const unreadable: string[] = []
        const entries = lines.flatMap(({ id, valor: sealed, chegouEm: arrivedAt }) => {
          const valor = vault.tryOpen(sealed, eventSealContext(contaId, id))
          if (valor === null) unreadable.push(id)
          return valor === null ? [] : [{ id, arrivedAt, valor }]
        })
        if (unreadable.length > 0) {
          log.error({ contaId, entries: unreadable.length }, UNREADABLE_TEXT)
          await db.transaction(contaId, (tx) => delayWebhookEvents(tx, { contaId, ids: unreadable }))
        }
        // A page without a readable entry must not hide those behind it.
        if (entries.length > 0 || lines.length === 0) return entries
      }
    },
    completeEntry: async (contaId, ids) => {
      await db.transaction(contaId, (tx) => deleteWebhookEvents(tx, { contaId, ids }))
    },
    subscribe: (contaId, listener) => {
      listeners.set(contaId, listener)
      return () => {
        if (listeners.get(contaId) === listener) listeners.delete(contaId)
      }
    },
  }
  return { journal, arrived, wake: (contaId) => bus.publish(CHANNEL, contaId) }
}

const listEvents = entriesAfter('oficial: list events to erase', 'oficial_chegadas')

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
