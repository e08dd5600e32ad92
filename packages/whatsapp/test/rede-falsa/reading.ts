import type { BinaryNode, proto } from 'baileys'
import type { Ciphertext } from './signal-peer.ts'
import { bytesOf } from './stanza.ts'

export function readCiphertext(enc: BinaryNode): Ciphertext {
  return { type: enc.attrs.type === 'pkmsg' ? 'pkmsg' : 'msg', body: bytesOf(enc) }
}

export function textOf(message: proto.IMessage): string {
  const { conversation, extendedTextMessage, deviceSentMessage } = message
  return (
    conversation ?? extendedTextMessage?.text ?? (deviceSentMessage?.message ? textOf(deviceSentMessage.message) : '')
  )
}
