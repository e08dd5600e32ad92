import type { SessionHost } from '@balcao/connector/port'
import { webKeyId, type WebMessage } from './shapes.ts'
import type { OwnMessages } from './own-messages.ts'

const REFUSED_ACK = -1
const DELIVERED_ACK = 2
const READ_ACKS: ReadonlySet<unknown> = new Set([3, 4])

export function createWebReceipts(
  host: Pick<SessionHost, 'receipt' | 'undelivered'>,
  ownMessages: OwnMessages,
): (mensagem: WebMessage, ack: unknown) => Promise<void> {
  return async (mensagem, ack) => {
    if (ack !== REFUSED_ACK && ack !== DELIVERED_ACK && !READ_ACKS.has(ack)) return
    // The receipt may arrive before the id of the message.
    await ownMessages.allKnown()
    // A failed send already reported this refusal to the queue.
    if (ack === REFUSED_ACK && !ownMessages.isKnown(webKeyId(mensagem.id))) return
    const idExterno = await ownMessages.idExternoOf(mensagem)
    if (idExterno === null) return
    if (ack === REFUSED_ACK) {
      ownMessages.refused(idExterno)
      return host.undelivered(idExterno, 'o WhatsApp não entregou a mensagem')
    }
    host.receipt(idExterno, READ_ACKS.has(ack) ? 'lida' : 'entregue')
  }
}
