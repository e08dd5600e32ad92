import type { BinaryNode, WASocket } from 'baileys'
import { ehPessoa } from './mensagem.ts'

const MENSAGEM = 'CB:message'
const DO_DONO = ['sender_pn', 'sender_lid', 'participant_pn', 'participant_lid'] as const

/**
 * The library begins to handle each message the moment it comes in and looks things up before it takes its lock: with a
 * store that takes its time, one message overtakes another. Here the next message of a person begins when the one before is
 * decrypted, journalled and acknowledged. `guardar` keeps what has nothing to decrypt. What devices say among themselves (a history
 * may take minutes) does not wait.
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
    // The library has a queue of its own for what waited while we were away; two queues would let one pass the other.
    const { offline: _, ...attrs } = stanza.attrs
    // Of a copy of what the owner typed, they are the owner's: the library would take them for the customer's.
    if (attrs.recipient !== undefined) for (const nome of DO_DONO) delete attrs[nome]
    fila = fila.then(async () => {
      // What is left of a dead line comes again on the next one.
      if (!ws.isOpen) return
      // So does what could not be kept: it is not acknowledged.
      await guardar(stanza)
        .then(() => tratar({ ...stanza, attrs }))
        .catch(() => undefined)
    })
  })
}

/** The library hears of these stanzas once `antes` has resolved, and at once of those for which it returns nothing. */
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
