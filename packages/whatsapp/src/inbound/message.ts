import {
  type BinaryNode,
  decodeMessageNode,
  isLidUser,
  isPnUser,
  jidDecode,
  jidNormalizedUser,
  proto,
  type WAMessage,
  type WAMessageKey,
  type WASocket,
} from 'baileys'
import type { InboundMessage, JournalEntry, MessageChange, SessionKeys } from '@balcao/connector/port'
import { deserialize } from '#socket/credentials.ts'
import { EDITED_TEXT, type Quotation, readContent, readText, unwrap } from './content.ts'

/** As stored in the journal under the key `ligacao`. */
export interface StoredCall {
  readonly id: string
  readonly chat: string
  readonly numero: string
  readonly video: boolean
  readonly em: number
}

/** A customer, under every address that the service names. */
export interface Person extends Pick<InboundMessage, 'endereco' | 'telefone'> {
  readonly outrosEnderecos: readonly string[]
}

export interface Self {
  readonly jid: string
  readonly lid: string
}

/** Phone number (as JID) of a LID, if this session has seen both together; null otherwise. */
export type PhoneOfLid = (lid: string) => Promise<string | null>

/** Key type in which the library stores the phone number of a LID. */
const LID_KEY_TYPE = 'lid-mapping'

export function createPhoneOfLid(keys: Pick<SessionKeys, 'read'>, socket: () => WASocket | null): PhoneOfLid {
  return async (lid) => {
    const current = socket()
    if (current !== null) return current.signalRepository.lidMapping.getPNForLID(lid)
    const id = `${jidDecode(lid)?.user ?? ''}_reverse`
    const stored = (await keys.read(LID_KEY_TYPE, [id])).get(id)
    return stored === undefined ? null : `${String(deserialize(stored))}@s.whatsapp.net`
  }
}

export function messageOfEntry({ valor }: JournalEntry, self: Self): WAMessage {
  const { envelope, corpo } = deserialize(valor)
  return { ...messageOfEnvelope(envelope, self), message: proto.Message.decode(corpo) }
}

export function messageOfEnvelope(attrs: BinaryNode['attrs'], self: Self): WAMessage {
  const { fullMessage } = decodeMessageNode({ tag: 'message', attrs }, self.jid, self.lid)
  const { key } = fullMessage
  const remoteJid = personJid(key.remoteJid ?? '')
  if (key.fromMe !== true) return { ...fullMessage, key: { ...key, remoteJid } }
  // For a message typed on the phone the other address is the recipient's, but the library reads the sender's.
  const alternative = isLidUser(remoteJid)
    ? (attrs.peer_recipient_pn ?? attrs.recipient_pn)
    : (attrs.peer_recipient_lid ?? attrs.recipient_lid)
  return { ...fullMessage, key: { ...key, remoteJid, remoteJidAlt: alternative ?? '' } }
}

const MISSED_CALL_TEXTS = { voz: 'Ligação perdida', video: 'Ligação de vídeo perdida' } as const

export async function readMissedCall({ valor }: JournalEntry, phoneOfLid: PhoneOfLid): Promise<InboundMessage | null> {
  const { ligacao }: { ligacao?: StoredCall } = deserialize(valor)
  if (ligacao === undefined) return null
  const { id, chat, numero, video, em } = ligacao
  const tipo = video ? 'video' : 'voz'
  return {
    ...(await personOf({ remoteJidAlt: numero }, chat, phoneOfLid)).person,
    ...{ id: `ligacao:${id}`, nome: '', texto: MISSED_CALL_TEXTS[tipo], ligacao: tipo, deMim: false },
    enviadaEm: new Date(em * 1000),
  }
}

export interface InboundContext {
  readonly self: Self
  readonly phoneOfLid: PhoneOfLid
  readonly now: () => Date
}

/** Converts a message for the host. Returns null for groups, status messages and protocol messages. */
export async function toInbound(
  received: WAMessage,
  { self, phoneOfLid, now }: InboundContext,
): Promise<InboundMessage | MessageChange | null> {
  const { key, message } = received
  const chat = personJid(key.remoteJid ?? '')
  // Notes in the owner's own chat are private.
  if (!key.id || !isPersonJid(chat) || ownJids(self).includes(chat)) return null
  const change = readChange(message)
  const content = readContent(message)
  if (change === null && content.tipo === 'nada') return null
  const { person, jids } = await personOf(key, chat, phoneOfLid)
  const deMim = key.fromMe === true
  if (change !== null) return { ...person, ...change, deMim }
  if (content.tipo === 'nada') return null
  const { texto, midia, citada } = content
  return {
    ...person,
    id: key.id,
    nome: deMim ? '' : (received.pushName ?? ''),
    texto,
    ...(midia === undefined ? {} : { midia }),
    ...quotedOf(citada, self, jids),
    deMim,
    enviadaEm: sentAt(received, now),
  }
}

function quotedOf(
  quotation: Quotation | undefined,
  self: Self,
  jids: readonly string[],
): Pick<InboundMessage, 'citada'> {
  if (quotation === undefined) return {}
  return { citada: { texto: quotation.texto, nossa: isOurs(quotation.de, self, jids) } }
}

export function isChange(inbound: InboundMessage | MessageChange): inbound is MessageChange {
  return 'mudanca' in inbound
}

/** Apps name the customer in a quotation by number or LID, so the check compares with our own addresses. */
function isOurs(participant: string, self: Self, theirs: readonly string[]): boolean {
  if (participant === '') return true
  const author = personJid(participant)
  return ownJids(self).includes(author) || (ownJids(self).length < 2 && !theirs.includes(author))
}

const ownJids = ({ jid, lid }: Self): string[] =>
  [jid, lid].filter((address) => address !== '').map((address) => jidNormalizedUser(address))

export function sentAt({ messageTimestamp }: Pick<WAMessage, 'messageTimestamp'>, now: () => Date): Date {
  const seconds = Number(messageTimestamp ?? 0)
  return seconds > 0 && seconds < MAX_SECONDS ? new Date(seconds * 1000) : now()
}
const MAX_SECONDS = 1e10

export async function personOf(
  key: Pick<WAMessageKey, 'remoteJidAlt'>,
  chat: string,
  phoneOfLid: PhoneOfLid,
): Promise<{ readonly person: Person; readonly jids: readonly string[] }> {
  const { phone, lid } = await addressesOf(key, chat, phoneOfLid)
  const jids = [phone, lid].filter((jid) => jid !== null)
  const person = {
    endereco: chat,
    outrosEnderecos: jids.filter((jid) => jid !== chat),
    telefone: phone === null ? '' : (jidDecode(phone)?.user ?? ''),
  }
  return { person, jids }
}

async function addressesOf(
  { remoteJidAlt }: Pick<WAMessageKey, 'remoteJidAlt'>,
  chat: string,
  phoneOfLid: PhoneOfLid,
): Promise<{ phone: string | null; lid: string | null }> {
  const alternative = remoteJidAlt === undefined || remoteJidAlt === '' ? null : personJid(remoteJidAlt)
  const other = alternative !== null && isPersonJid(alternative) ? alternative : null
  if (!isLidUser(chat)) return { phone: chat, lid: other !== null && isLidUser(other) ? other : null }
  if (other !== null && isPnUser(other)) return { phone: other, lid: chat }
  const seen = await phoneOfLid(chat)
  return { phone: seen === null ? null : jidNormalizedUser(seen), lid: chat }
}

/** JID without device. A business hosted by Meta gets the same JID as its phone. */
export function personJid(jid: string): string {
  return jidNormalizedUser(jid)
    .replace(/@hosted$/, '@s.whatsapp.net')
    .replace(/@hosted\.lid$/, '@lid')
}

export function isUnreadable({ messageStubType, key }: WAMessage): boolean {
  return messageStubType === proto.WebMessageInfo.StubType.CIPHERTEXT && isPersonJid(key.remoteJid ?? '')
}

/** False for groups, lists, status messages and channels. */
export function isPersonJid(jid: string): boolean {
  const person = personJid(jid)
  return isPnUser(person) === true || isLidUser(person) === true
}

/** Addresses from the simulator or an import are bare phone numbers. */
export function jidOfAddress(address: string): string {
  return address.includes('@') ? address : `${address.replaceAll(/\D/g, '')}@s.whatsapp.net`
}

export type ReadChange = Pick<MessageChange, 'alvo' | 'mudanca'>

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
const { MESSAGE_EDIT: ENCRYPTED_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType

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
