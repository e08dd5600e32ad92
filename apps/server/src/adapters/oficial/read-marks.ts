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

export function createReadMarks(graph: Graph, numero: () => OficialNumber | null): ReadMarks {
  const last = new Map<string, { readonly wamid: string; lida: boolean }>()

  const mark = (address: string, mais: object): void => {
    const ultima = last.get(address)
    const current = numero()
    if (ultima === undefined || current === null) return
    ultima.lida = true
    const corpo = { messaging_product: 'whatsapp', status: 'read', message_id: ultima.wamid, ...mais }
    const { telefoneId, token } = current
    graph
      .request({ method: 'POST', path: `${telefoneId}/messages`, token, body: corpo, timeoutMs: TIMEOUT_MS })
      .catch(() => undefined)
  }

  return {
    arrived: (address, wamid) => {
      last.delete(address)
      last.set(address, { wamid, lida: false })
      if (last.size > MAX_CONTATOS) last.delete(last.keys().next().value ?? '')
    },
    answered: (address) => {
      if (last.get(address)?.lida === false) mark(address, {})
    },
    typing: (address) => mark(address, { typing_indicator: { type: 'text' } }),
  }
}
