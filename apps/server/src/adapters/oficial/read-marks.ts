import { LRUCache } from 'lru-cache'
import type { OficialNumber } from '#ports/oficial.ts'
import type { Graph } from './graph/client.ts'

const TIMEOUT_MS = 5_000
const MAX_CONTATOS = 5_000

/** Read marks and typing indicator. Both refer to the contato's last message. Errors are ignored. */
export interface ReadMarks {
  readonly arrived: (address: string, wamid: string) => void
  /** After our answer, the contato's messages are marked as read. */
  readonly answered: (address: string) => void
  readonly typing: (address: string) => void
}

export function createReadMarks(graph: Graph, number: () => OficialNumber | null): ReadMarks {
  const last = new LRUCache<string, { readonly wamid: string; isRead: boolean }>({
    maxSize: MAX_CONTATOS,
    sizeCalculation: () => 1,
  })

  const mark = (address: string, more: object): void => {
    const message = last.get(address)
    const current = number()
    if (message === undefined || current === null) return
    message.isRead = true
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: message.wamid, ...more }
    const { telefoneId, token } = current
    graph
      .request({ method: 'POST', path: `${telefoneId}/messages`, token, body, timeoutMs: TIMEOUT_MS })
      .catch(() => undefined)
  }

  return {
    arrived: (address, wamid) => void last.set(address, { wamid, isRead: false }),
    answered: (address) => {
      if (last.get(address)?.isRead === false) mark(address, {})
    },
    typing: (address) => mark(address, { typing_indicator: { type: 'text' } }),
  }
}
