import type { NumeroOficial } from '#ports/oficial.ts'
import type { Graph } from './graph.ts'

const PRAZO_MS = 5_000
const LEMBRADAS = 5_000

/** Read marks and typing indicator. Both refer to the contato's last message. Errors are ignored. */
export interface Leitura {
  readonly chegou: (endereco: string, wamid: string) => void
  /** After our answer, the contato's messages are marked as read. */
  readonly respondida: (endereco: string) => void
  readonly digitando: (endereco: string) => void
}

export function createLeitura(graph: Graph, numero: () => NumeroOficial | null): Leitura {
  const ultimas = new Map<string, { readonly wamid: string; lida: boolean }>()

  const marcar = (endereco: string, mais: object): void => {
    const ultima = ultimas.get(endereco)
    const atual = numero()
    if (ultima === undefined || atual === null) return
    ultima.lida = true
    const corpo = { messaging_product: 'whatsapp', status: 'read', message_id: ultima.wamid, ...mais }
    const { telefoneId, token } = atual
    graph
      .pedir({ metodo: 'POST', caminho: `${telefoneId}/messages`, token, corpo, prazoMs: PRAZO_MS })
      .catch(() => undefined)
  }

  return {
    chegou: (endereco, wamid) => {
      ultimas.delete(endereco)
      ultimas.set(endereco, { wamid, lida: false })
      if (ultimas.size > LEMBRADAS) ultimas.delete(ultimas.keys().next().value ?? '')
    },
    respondida: (endereco) => {
      if (ultimas.get(endereco)?.lida === false) marcar(endereco, {})
    },
    digitando: (endereco) => marcar(endereco, { typing_indicator: { type: 'text' } }),
  }
}
