import type { BinaryNode, WASocket } from 'baileys'
import { ehPessoa } from './mensagem.ts'

const MENSAGEM = 'CB:message'
const DO_DONO = ['sender_pn', 'sender_lid', 'participant_pn', 'participant_lid'] as const

/**
 * Handles messages of people one at a time. The library starts each message at once and looks up data before it
 * takes its lock, so on a slow store one message can overtake another. `guardar` stores messages without content.
 * Messages between the owner's devices do not wait, because a history sync may take minutes.
 */
export function porOrdem(
  ws: WASocket['ws'],
  antes: (stanza: BinaryNode) => void,
  guardar: (stanza: BinaryNode) => Promise<void>,
): void {
  const originais = ws.listeners(MENSAGEM)
  let fila: Promise<void> = Promise.resolve()
  const tratar = async (stanza: BinaryNode): Promise<void> => {
    for (const original of originais) await Reflect.apply(original, ws, [stanza])
  }
  ws.removeAllListeners(MENSAGEM)
  ws.on(MENSAGEM, (stanza: BinaryNode) => {
    if (stanza.attrs.category === 'peer' || !ehPessoa(stanza.attrs.from ?? '')) return void tratar(stanza)
    antes(stanza)
    // Without this attribute the library does not put the message into its own offline queue, which would break the
    // order.
    const { offline: _, ...attrs } = stanza.attrs
    // In a copy of a message that the owner typed, these attributes name the owner. The library would take them for
    // the customer's.
    if (attrs.recipient !== undefined) for (const nome of DO_DONO) delete attrs[nome]
    fila = fila.then(async () => {
      // The server repeats the rest on the next connection.
      if (!ws.isOpen) return
      // A message that could not be stored is not acknowledged, so the server repeats it.
      await guardar(stanza)
        .then(() => tratar({ ...stanza, attrs }))
        .catch(() => undefined)
    })
  })
}

/** Passes a stanza to the library after `antes` has resolved, or immediately if `antes` returns undefined. */
export function depoisDe(
  ws: WASocket['ws'],
  evento: string,
  antes: (stanza: BinaryNode) => Promise<void> | undefined,
): void {
  const originais = ws.listeners(evento)
  const tratar = (stanza: BinaryNode): void => {
    for (const original of originais) Reflect.apply(original, ws, [stanza])
  }
  ws.removeAllListeners(evento)
  ws.on(evento, (stanza: BinaryNode) => {
    const primeiro = antes(stanza)
    if (primeiro === undefined) return tratar(stanza)
    void primeiro.then(() => {
      if (ws.isOpen) tratar(stanza)
    })
  })
}
