import type { MessageChange } from '@balcao/connector/port'
import { proto } from 'baileys'
import { EDITED_TEXT, readText, unwrap } from './content.ts'

export type ReadChange = Pick<MessageChange, 'alvo' | 'mudanca'>

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
const { MESSAGE_EDIT: ENCRYPTED_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType

/** Reads an edit, a deletion or a reaction; null for any other message. */
export function readChange(raw: proto.IMessage | null | undefined): ReadChange | null {
  const message = unwrap(raw)
  if (message === undefined) return null
  return readEncryptedEdit(message) ?? readReaction(message) ?? readProtocolChange(message)
}

function readEncryptedEdit({ secretEncryptedMessage: encrypted }: proto.IMessage): ReadChange | null {
  const alvo = encrypted?.targetMessageKey?.id
  if (encrypted?.secretEncType !== ENCRYPTED_EDIT || !alvo) return null
  // The new text is encrypted with a secret of the original message, so it cannot be read here. The old text is
  // outdated.
  return { alvo, mudanca: { tipo: 'edicao', texto: EDITED_TEXT } }
}

function readReaction({ reactionMessage }: proto.IMessage): ReadChange | null {
  const alvo = reactionMessage?.key?.id
  return alvo ? { alvo, mudanca: { tipo: 'reacao', emoji: reactionMessage.text ?? '' } } : null
}

function readProtocolChange({ protocolMessage }: proto.IMessage): ReadChange | null {
  const alvo = protocolMessage?.key?.id
  if (!alvo) return null
  if (protocolMessage.type === REVOKE) return { alvo, mudanca: { tipo: 'apagada' } }
  if (protocolMessage.type !== MESSAGE_EDIT) return null
  const texto = readText(protocolMessage.editedMessage)
  return texto === '' ? null : { alvo, mudanca: { tipo: 'edicao', texto } }
}
