import type { BinaryNode } from 'baileys'
import { childOf, childrenOf, SERVER, stanza } from './stanza.ts'
import type { LinkedDevice } from './types.ts'

/** Queues a stanza for a device and delivers it until the device confirms it. */

export function deliverTo(device: LinkedDevice, stanza: BinaryNode): void {
  device.pending.push(stanza)
  if (device.connection?.isActive() === true) device.connection.send(stanza)
}

/** Handles a receipt or ack. A repeated message is confirmed separately. */
export function confirmDelivery(device: LinkedDevice, { tag, attrs, content }: BinaryNode): void {
  const className = tag === 'receipt' ? 'message' : attrs.class
  const lista = Array.isArray(content) ? childOf({ tag: '', attrs: {}, content }, 'list') : undefined
  for (const id of [attrs.id, ...childrenOf(lista, 'item').map((item) => item.attrs.id)]) {
    const qual = device.pending.findIndex((pendente) => pendente.tag === className && pendente.attrs.id === id)
    if (qual >= 0) device.pending.splice(qual, 1)
  }
}

/** Delivers the waiting stanzas and switches to live delivery. */
export function activateDevice(device: LinkedDevice): void {
  const { connection } = device
  if (connection === null) return
  const late = [...device.pending]
  const count = String(late.length)
  connection.send(stanza('ib', { from: SERVER }, [stanza('offline_preview', { count, message: count })]))
  for (const mensagem of late) connection.send({ ...mensagem, attrs: { ...mensagem.attrs, offline: '1' } })
  connection.send(stanza('ib', { from: SERVER }, [stanza('offline', { count })]))
  connection.activate()
}
