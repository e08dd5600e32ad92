import type { BinaryNode, proto } from 'baileys'
import type { Cifrada } from './par-signal.ts'
import { bytesDe } from './stanza.ts'

export function lerCifrada(enc: BinaryNode): Cifrada {
  return { tipo: enc.attrs.type === 'pkmsg' ? 'pkmsg' : 'msg', corpo: bytesDe(enc) }
}

export function textoDe(mensagem: proto.IMessage): string {
  const { conversation, extendedTextMessage, deviceSentMessage } = mensagem
  return (
    conversation ?? extendedTextMessage?.text ?? (deviceSentMessage?.message ? textoDe(deviceSentMessage.message) : '')
  )
}
