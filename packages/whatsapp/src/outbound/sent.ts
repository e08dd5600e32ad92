import type { MensagemTarget, OutboundMessage, Receipt, SessionHost } from '@balcao/connector/port'
import { type BinaryNode, isLidUser, jidNormalizedUser, proto, type WAMessageKey } from 'baileys'
import type { Self } from '#inbound/message.ts'
import type { LogFailure } from '#options.ts'

/**
 * Ids of our messages on WhatsApp: `3EB0` and 18 hexadecimal digits, as WhatsApp Web creates them. The digits are
 * the UUIDv7's 48 bits of time and last 24 random bits. A retry therefore has the same id, and a receipt leads back
 * to the message without a lookup table.
 */
const PREFIX = '3EB0'
const TIME_DIGITS = 12
const TAIL_DIGITS = 6

export function messageIdOf(idExterno: string): string {
  const hex = idExterno.replaceAll('-', '').toUpperCase()
  return PREFIX + hex.slice(0, TIME_DIGITS) + hex.slice(-TAIL_DIGITS)
}

/** Range of UUIDs that contains the message with this id; null if the id is not ours. */
export function externalIdRange(id: string): { readonly de: string; readonly ate: string } | null {
  if (!/^3EB0[0-9A-F]{18}$/.test(id)) return null
  const time = id.slice(PREFIX.length, PREFIX.length + TIME_DIGITS).toLowerCase()
  const start = `${time.slice(0, 8)}-${time.slice(8)}`
  return { de: `${start}-0000-0000-000000000000`, ate: `${start}-ffff-ffff-ffffffffffff` }
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-/i

const serviceIdOf = ({ id }: MensagemTarget): string => (UUID.test(id) ? messageIdOf(id) : id)

/** In one chat both sides have a phone number address, or both have a LID. */
function authorOf({ nossa }: MensagemTarget, chat: string, { jid, lid }: Self): string {
  if (!nossa) return chat
  return jidNormalizedUser(isLidUser(chat) === true && lid !== '' ? lid : jid)
}

export function contextInfoOf(
  { citada, encaminhada }: Pick<OutboundMessage, 'citada' | 'encaminhada'>,
  chat: string,
  self: Self,
): { contextInfo?: proto.IContextInfo } {
  if (citada === undefined && encaminhada === undefined) return {}
  return {
    contextInfo: {
      ...(citada === undefined
        ? {}
        : {
            stanzaId: serviceIdOf(citada),
            participant: authorOf(citada, chat, self),
            quotedMessage: { conversation: citada.texto },
          }),
      ...(encaminhada === undefined ? {} : { isForwarded: true, forwardingScore: 1 }),
    },
  }
}

function reactionMessage(
  { alvo, emoji }: NonNullable<OutboundMessage['reacao']>,
  { chat, now }: { readonly chat: string; readonly now: () => Date },
): proto.IMessage {
  const key = { remoteJid: chat, fromMe: alvo.nossa, id: serviceIdOf(alvo) }
  return { reactionMessage: { key, text: emoji, senderTimestampMs: now().getTime() } }
}

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type

function editMessage(
  { alvo, texto }: NonNullable<OutboundMessage['edicao']>,
  { chat, now }: { readonly chat: string; readonly now: () => Date },
): proto.IMessage {
  const key = { remoteJid: chat, fromMe: true, id: serviceIdOf(alvo) }
  if (texto === null) return { protocolMessage: { key, type: REVOKE } }
  const editedMessage = { extendedTextMessage: { text: texto } }
  return { protocolMessage: { key, type: MESSAGE_EDIT, editedMessage, timestampMs: now().getTime() } }
}

/** A reaction, an edit or a deletion. Null for text, file and template. */
export function changeMessage(
  { reacao, edicao }: OutboundMessage,
  context: { readonly chat: string; readonly now: () => Date },
): proto.IMessage | null {
  if (reacao !== undefined) return reactionMessage(reacao, context)
  return edicao === undefined ? null : editMessage(edicao, context)
}

/** Attributes of the stanza: `1` is an edit, `7` a deletion of our own message. */
export function editAttributes({ edicao }: OutboundMessage): { edit: string } | undefined {
  return edicao === undefined ? undefined : { edit: edicao.texto === null ? '7' : '1' }
}

export interface SentMessages {
  readonly find: (id: string) => Promise<OutboundMessage | undefined>
  readonly contentFor: (key: WAMessageKey) => Promise<proto.IMessage | undefined>
  readonly receipt: (receipt: BinaryNode) => void
  /** The `idExterno` of our message with this id; the id itself if it is not ours. */
  readonly externalIdOf: (id: string) => Promise<string>
}

export interface SentOptions {
  readonly onDelivered: (id: string, device: string) => void
  readonly logFailure: LogFailure
  readonly self: () => Self
}

export function createSentMessages(
  host: Pick<SessionHost, 'listSent' | 'receipt'>,
  { onDelivered, logFailure, self }: SentOptions,
): SentMessages {
  const find = async (id: string): Promise<OutboundMessage | undefined> => {
    const range = externalIdRange(id)
    if (range === null) return undefined
    const candidates = await host.listSent(range.de, range.ate)
    return candidates.find(({ idExterno }) => messageIdOf(idExterno) === id)
  }

  const report = async (ids: readonly string[], state: Receipt): Promise<void> => {
    for (const id of ids) {
      const message = await find(id)
      if (message !== undefined) host.receipt(message.idExterno, state)
    }
  }

  return {
    find,
    contentFor: async ({ id, remoteJid }) => {
      const message = await find(id ?? '')
      // A file would need a new upload. The library itself caches recent messages.
      if (message === undefined || message.midia !== undefined) return undefined
      const context = contextInfoOf(message, jidNormalizedUser(remoteJid ?? message.endereco), self())
      return { extendedTextMessage: { text: message.texto, ...context } }
    },
    externalIdOf: async (id) => (await find(id))?.idExterno ?? id,
    receipt: (receipt) => {
      const state = receiptStateOf(receipt)
      if (state === null) return
      const ids = receiptIdsOf(receipt)
      for (const id of ids) onDelivered(id, receipt.attrs.from ?? '')
      report(ids, state).catch((error: unknown) => logFailure(error, 'receipt not processed'))
    },
  }
}

function receiptStateOf({ attrs }: BinaryNode): Receipt | null {
  // A receipt with `recipient` is from another device of the owner.
  if (attrs.recipient !== undefined) return null
  if (attrs.type === undefined) return 'entregue'
  return attrs.type === 'read' || attrs.type === 'played' ? 'lida' : null
}

function receiptIdsOf({ attrs, content }: BinaryNode): string[] {
  const list = Array.isArray(content) ? content.find(({ tag }) => tag === 'list')?.content : undefined
  const others = Array.isArray(list) ? list.map((item) => item.attrs.id ?? '') : []
  return [attrs.id ?? '', ...others]
}
