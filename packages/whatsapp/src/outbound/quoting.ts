import { isLidUser, jidNormalizedUser, type proto } from 'baileys'
import type { OutboundMessage, MensagemTarget } from '@balcao/connector/port'
import { messageIdOf } from '#message-id.ts'
import type { Self } from '#inbound/message.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-/i

const serviceIdOf = ({ id }: MensagemTarget): string => (UUID.test(id) ? messageIdOf(id) : id)

/** In one chat both sides have a phone number address, or both have a LID. */
function authorOf({ nossa }: MensagemTarget, chat: string, { jid, lid }: Self): string {
  if (!nossa) return chat
  return jidNormalizedUser(isLidUser(chat) === true && lid !== '' ? lid : jid)
}

export function contextInfoOf(
  quoted: OutboundMessage['citada'],
  chat: string,
  self: Self,
): { contextInfo?: proto.IContextInfo } {
  if (quoted === undefined) return {}
  return {
    contextInfo: {
      stanzaId: serviceIdOf(quoted),
      participant: authorOf(quoted, chat, self),
      quotedMessage: { conversation: quoted.texto },
    },
  }
}

export function reactionMessage({ alvo, emoji }: NonNullable<OutboundMessage['reacao']>, chat: string): proto.IMessage {
  const key = { remoteJid: chat, fromMe: alvo.nossa, id: serviceIdOf(alvo) }
  return { reactionMessage: { key, text: emoji, senderTimestampMs: Date.now() } }
}
