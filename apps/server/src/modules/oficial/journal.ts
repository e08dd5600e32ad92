import type { Deps } from '#deps.ts'
import type { Bus } from '#ports/bus.ts'
import type { OficialJournal } from '#ports/oficial.ts'
import { deleteWebhookEvents, findOficialConta, listWebhookEvents, openSecret, eventSealContext } from './repository.ts'

const CHANNEL = 'oficial'

/** Credentials and webhook journal of each conta, with a wake-up over the bus when events arrive. */
export function createOficialJournal({ db, vault, bus }: Pick<Deps, 'db' | 'vault'> & { readonly bus: Bus }): {
  readonly journal: OficialJournal
  /** Notifies the node that runs the bot of the conta. */
  readonly wake: (contaId: string) => void
  /** As `wake`, for a session on this node. */
  readonly arrived: (contaId: string) => void
} {
  const listeners = new Map<string, () => void>()
  const arrived = (contaId: string): void => listeners.get(contaId)?.()
  bus.subscribe(CHANNEL, arrived)

  const journal: OficialJournal = {
    findNumber: async (contaId) => {
      const conta = await db.read(contaId, (tx) => findOficialConta(tx, contaId))
      if (conta === null || conta.telefone_id === '' || conta.conta_whatsapp_id === '' || conta.token === '')
        return null
      return {
        telefoneId: conta.telefone_id,
        contaWhatsappId: conta.conta_whatsapp_id,
        token: openSecret(vault, contaId, 'token', conta.token),
      }
    },
    listEntries: async (contaId, skip) => {
      const lines = await db.read(contaId, (tx) => listWebhookEvents(tx, contaId, skip))
      return lines.map(({ id, valor, chegou_em: chegouEm }) => ({
        ...{ id, arrivedAt: chegouEm },
        valor: vault.open(valor, eventSealContext(contaId, id)),
      }))
    },
    completeEntry: (contaId, ids) => db.transaction(contaId, (tx) => deleteWebhookEvents(tx, contaId, ids)),
    subscribe: (contaId, listener) => {
      listeners.set(contaId, listener)
      return () => {
        if (listeners.get(contaId) === listener) listeners.delete(contaId)
      }
    },
  }
  return { journal, arrived, wake: (contaId) => bus.publish(CHANNEL, contaId) }
}
