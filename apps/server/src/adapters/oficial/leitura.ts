import type { OficialNumber } from '#ports/oficial.ts'
import type { Graph } from './graph.ts'

const TIMEOUT_MS = 5_000
const MAX_CONTATOS = 5_000

/** Read marks and typing indicator. Both refer to the contato's last message. Errors are ignored. */
export interface ReadMarks {
  readonly arrived: (endereco: string, wamid: string) => void
  /** After our answer, the contato's messages are marked as read. */
  readonly answered: (endereco: string) => void
  readonly typing: (endereco: string) => void
}

export function createReadMarks(graph: Graph, numero: () => OficialNumber | null): ReadMarks {
  const ultimas = new Map<string, { readonly wamid: string; lida: boolean }>()

  const marcar = (endereco: string, mais: object): void => {
    const ultima = ultimas.get(endereco)
    const atual = numero()
    if (ultima === undefined || atual === null) return
    ultima.lida = true
    const corpo = { messaging_product: 'whatsapp', status: 'read', message_id: ultima.wamid, ...mais }
    const { telefoneId, token } = atual
    graph
      .request({ method: 'POST', path: `${telefoneId}/messages`, token, body: corpo, timeoutMs: TIMEOUT_MS })
      .catch(() => undefined)
  }

  return {
    arrived: (endereco, wamid) => {
      ultimas.delete(endereco)
      ultimas.set(endereco, { wamid, lida: false })
      if (ultimas.size > MAX_CONTATOS) ultimas.delete(ultimas.keys().next().value ?? '')
    },
    answered: (endereco) => {
      if (ultimas.get(endereco)?.lida === false) marcar(endereco, {})
    },
    typing: (endereco) => marcar(endereco, { typing_indicator: { type: 'text' } }),
  }
}
