import { serialQueue } from '@balcao/connector/keyed-queue'
import type { BinaryNode, WASocket } from 'baileys'
import { isPersonJid } from '#inbound/message.ts'

const MESSAGE_EVENT = 'CB:message'
const OWNER_ATTRIBUTES = ['sender_pn', 'sender_lid', 'participant_pn', 'participant_lid'] as const

/**
 * Handles messages of people one at a time. The library starts each message at once and looks up data before it
 * takes its lock, so on a slow store one message can overtake another. `store` stores messages without content.
 * Messages between the owner's devices do not wait, because a history sync may take minutes.
 */
export function handleInOrder(
  ws: WASocket['ws'],
  before: (stanza: BinaryNode) => void,
  store: (stanza: BinaryNode) => Promise<void>,
): void {
  const originals = ws.listeners(MESSAGE_EVENT)
  const inOrder = serialQueue()
  const handle = async (stanza: BinaryNode): Promise<void> => {
    for (const original of originals) await Reflect.apply(original, ws, [stanza])
  }
  ws.removeAllListeners(MESSAGE_EVENT)
  ws.on(MESSAGE_EVENT, (stanza: BinaryNode) => {
    if (stanza.attrs.category === 'peer' || !isPersonJid(stanza.attrs.from ?? '')) return void handle(stanza)
    before(stanza)
    // Without this attribute the library does not put the message into its own offline queue, which would break the
    // order.
    const { offline: _, ...attrs } = stanza.attrs
    // In a copy of a message that the owner typed, these attributes name the owner. The library would take them for
    // the customer's.
    if (attrs.recipient !== undefined) for (const name of OWNER_ATTRIBUTES) delete attrs[name]
    void inOrder(async () => {
      // The server repeats the rest on the next connection.
      if (!ws.isOpen) return
      // A message that could not be stored is not acknowledged, so the server repeats it.
      await store(stanza)
        .then(() => handle({ ...stanza, attrs }))
        .catch(() => undefined)
    })
  })
}

/** Passes a stanza to the library after `before` has resolved, or immediately if `before` returns undefined. */
export function handleAfter(
  ws: WASocket['ws'],
  event: string,
  before: (stanza: BinaryNode) => Promise<void> | undefined,
): void {
  const originals = ws.listeners(event)
  const handle = (stanza: BinaryNode): void => {
    for (const original of originals) Reflect.apply(original, ws, [stanza])
  }
  ws.removeAllListeners(event)
  ws.on(event, (stanza: BinaryNode) => {
    const first = before(stanza)
    if (first === undefined) return handle(stanza)
    void first.then(() => {
      if (ws.isOpen) handle(stanza)
    })
  })
}
