import type { Deps } from '#deps.ts'
import type { Bus } from '#ports/bus.ts'
import type { OficialJournal, OficialOrders, OficialPayments } from '#ports/oficial.ts'
import { deleteMatchingEntries, entriesAfter } from '#db/sealed-journal.ts'
import type { Tx } from '#db/transaction.ts'
import { isUuid } from '#lib/text.ts'
import {
  delayWebhookEvents,
  deleteWebhookEvents,
  findOficialLine,
  findOrdersRefused,
  findUnpaid,
  isAutomatic,
  listOficialLines,
  listWebhookEvents,
  openSecret,
  eventSealContext,
  updateOrdersRefused,
  updateUnpaid,
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
  /** Notifies the node that has the session of the line. */
  readonly wake: (linhaId: string) => void
  readonly arrived: (linhaId: string) => void
} {
  const listeners = new Map<string, () => void>()
  const arrived = (linhaId: string): void => listeners.get(linhaId)?.()
  bus.subscribe(CHANNEL, arrived)

  const journal: OficialJournal = {
    findNumber: async ({ contaId, linhaId }) => {
      const line = await db.read(contaId, (tx) => findOficialLine(tx, { contaId, linhaId }))
      if (line === null || line.telefoneId === '' || line.contaWhatsappId === '' || line.token === '') return null
      return {
        telefoneId: line.telefoneId,
        contaWhatsappId: line.contaWhatsappId,
        token: openSecret(vault, linhaId, 'token', line.token),
      }
    },
    listEntries: async ({ contaId, linhaId }, skip) => {
      for (;;) {
        const lines = await db.read(contaId, (tx) => listWebhookEvents(tx, { linhaId, skip }))
        const unreadable: string[] = []
        const entries = lines.flatMap(({ id, valor: sealed, chegouEm: arrivedAt }) => {
          const valor = vault.tryOpen(sealed, eventSealContext(linhaId, id))
          if (valor === null) unreadable.push(id)
          return valor === null ? [] : [{ id, arrivedAt, valor }]
        })
        if (unreadable.length > 0) {
          log.error({ contaId, linhaId, entries: unreadable.length }, UNREADABLE_TEXT)
          await db.transaction(contaId, (tx) => delayWebhookEvents(tx, { linhaId, ids: unreadable }))
        }
        // A page without a readable entry must not hide those behind it.
        if (entries.length > 0 || lines.length === 0) return entries
      }
    },
    completeEntry: async ({ contaId, linhaId }, ids) => {
      await db.transaction(contaId, (tx) => deleteWebhookEvents(tx, { linhaId, ids }))
    },
    subscribe: (linhaId, listener) => {
      listeners.set(linhaId, listener)
      return () => {
        if (listeners.get(linhaId) === listener) listeners.delete(linhaId)
      }
    },
  }
  return { journal, arrived, wake: (linhaId) => bus.publish(CHANNEL, linhaId) }
}

const listEvents = entriesAfter('oficial: list events to erase', 'linhas_oficial_chegadas')

/**
 * Of all lines. Deletes stored webhook events of a customer that the bot has not processed, which would otherwise recreate the
 * contato at the next start. `patterns` are regular expressions for the addresses.
 */
export async function deleteWebhookEventsOf(
  tx: Tx,
  { vault, log }: Pick<Deps, 'vault' | 'log'>,
  contaId: string,
  patterns: readonly string[],
): Promise<void> {
  for (const { linhaId } of await listOficialLines(tx, { contaId })) {
    await deleteMatchingEntries(
      {
        list: (after) => listEvents(tx, { linhaId, after }),
        open: ({ id, valor }) => vault.open(valor, eventSealContext(linhaId, id)),
        remove: async (ids) => {
          await deleteWebhookEvents(tx, { linhaId, ids })
        },
        unreadable: (error) => log.warn({ err: error, contaId, linhaId }, 'webhook event not opened, kept'),
      },
      patterns,
    )
  }
}

export function createOficialPayments({ db }: Pick<Deps, 'db'>): OficialPayments {
  return {
    readUnpaidSince: async ({ contaId, linhaId }) => {
      const line = await db.read(contaId, (tx) => findUnpaid(tx, { contaId, linhaId }))
      return line?.semPagamentoDesde ?? null
    },
    setUnpaidSince: async ({ contaId, linhaId }, since) => {
      await db.transaction(contaId, (tx) => updateUnpaid(tx, { contaId, linhaId, since }))
    },
    isAutomatic: async ({ contaId }, id) =>
      isUuid(id) && (await db.read(contaId, (tx) => isAutomatic(tx, { contaId, id }))),
  }
}

export function createOficialOrders({ db }: Pick<Deps, 'db'>): OficialOrders {
  return {
    readRefusedAt: async ({ contaId, linhaId }) => {
      const line = await db.read(contaId, (tx) => findOrdersRefused(tx, { contaId, linhaId }))
      return line?.pedidosRecusadosEm ?? null
    },
    setRefusedAt: async ({ contaId, linhaId }, at) => {
      await db.transaction(contaId, (tx) => updateOrdersRefused(tx, { contaId, linhaId, at }))
    },
  }
}
