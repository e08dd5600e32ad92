import { proto } from 'baileys'
import type { MessageChange } from '@balcao/connector/port'
import { readText } from './content.ts'
import { unwrap } from '#outbound/wrapper.ts'
import { EDITED_TEXT } from './phone-only.ts'

export interface ReadChange {
  readonly alvo: string
  readonly mudanca: MessageChange['mudanca']
}

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
const { MESSAGE_EDIT: ENCRYPTED_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType

/** Reads an edit, a deletion or a reaction; null for any other message. */
export function readChange(raw: proto.IMessage | null | undefined): ReadChange | null {
  const dentro = unwrap(raw)
  const { protocolMessage, reactionMessage, secretEncryptedMessage: encrypted } = dentro ?? {}
  if (encrypted?.secretEncType === ENCRYPTED_EDIT && encrypted.targetMessageKey?.id) {
    // The new text is encrypted with a secret of the original message, so it cannot be read here. The old text is
    // outdated.
    return { alvo: encrypted.targetMessageKey.id, mudanca: { tipo: 'edicao', texto: EDITED_TEXT } }
  }
  if (reactionMessage?.key?.id) {
    return { alvo: reactionMessage.key.id, mudanca: { tipo: 'reacao', emoji: reactionMessage.text ?? '' } }
  }
  const alvo = protocolMessage?.key?.id
  if (!alvo) return null
  if (protocolMessage.type === REVOKE) return { alvo, mudanca: { tipo: 'apagada' } }
  if (protocolMessage.type !== MESSAGE_EDIT) return null
  const texto = readText(protocolMessage.editedMessage)
  return texto === '' ? null : { alvo, mudanca: { tipo: 'edicao', texto } }
}
