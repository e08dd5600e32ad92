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
} from 'baileys'
import { readChange } from './change.ts'
import type { MessageChange, JournalEntry, InboundMessage } from '@balcao/connector/port'
import { readContent } from './content.ts'
import { deserialize } from '#socket/credentials.ts'
import type { StoredCall } from './calls.ts'

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

export function messageOfEntry({ valor }: JournalEntry, self: Self): WAMessage {
  const { envelope, corpo } = deserialize(valor)
  return { ...messageOfEnvelope(envelope, self), message: proto.Message.decode(corpo) }
}

/** Reads sender and chat of a message without its content. */
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

/** The message for a missed call; null if the entry is no call. */
export async function readMissedCall({ valor }: JournalEntry, phoneOfLid: PhoneOfLid): Promise<InboundMessage | null> {
  const { ligacao }: { ligacao?: StoredCall } = deserialize(valor)
  if (ligacao === undefined) return null
  const { id, chat, numero, video, em } = ligacao
  const tipo = video ? 'video' : 'voz'
  return {
    ...(await personOf({ remoteJidAlt: numero }, chat, phoneOfLid)).pessoa,
    ...{ id: `ligacao:${id}`, nome: '', texto: MISSED_CALL_TEXTS[tipo], ligacao: tipo, deMim: false },
    enviadaEm: new Date(em * 1000),
  }
}

/** Converts a message for the host. Returns null for groups, status messages and protocol messages. */
export async function toInbound(
  received: WAMessage,
  self: Self,
  phoneOfLid: PhoneOfLid,
): Promise<InboundMessage | MessageChange | null> {
  const { key, message, pushName } = received
  const endereco = personJid(key.remoteJid ?? '')
  // Notes in the owner's own chat are private.
  if (!key.id || !isPersonJid(endereco) || ownJids(self).includes(endereco)) return null
  const change = readChange(message)
  const content = readContent(message)
  if (change === null && content.tipo === 'nada') return null
  const { pessoa, numero, lid } = await personOf(key, endereco, phoneOfLid)
  const deMim = key.fromMe === true
  if (change !== null) return { ...pessoa, ...change, deMim }
  if (content.tipo === 'nada') return null
  const { texto, midia, citada } = content
  return {
    ...pessoa,
    id: key.id,
    nome: deMim ? '' : (pushName ?? ''),
    texto,
    ...(midia === undefined ? {} : { midia }),
    ...(citada === undefined ? {} : { citada: { texto: citada.texto, nossa: isOurs(citada.de, self, [numero, lid]) } }),
    deMim,
    enviadaEm: sentAt(received),
  }
}

export function isChange(inbound: InboundMessage | MessageChange): inbound is MessageChange {
  return 'mudanca' in inbound
}

/** Apps name the customer in a quotation by number or LID, so the check compares with our own addresses. */
function isOurs(author: string, self: Self, theirs: readonly (string | null)[]): boolean {
  if (author === '') return true
  const autor = personJid(author)
  return ownJids(self).includes(autor) || (ownJids(self).length < 2 && !theirs.includes(autor))
}

const ownJids = ({ jid, lid }: Self): string[] =>
  [jid, lid].filter((um) => um !== '').map((um) => jidNormalizedUser(um))

/** The time of sending; the current time if the server sends none. */
export function sentAt({ messageTimestamp }: Pick<WAMessage, 'messageTimestamp'>): Date {
  const seconds = Number(messageTimestamp ?? 0)
  return seconds > 0 && seconds < MAX_SECONDS ? new Date(seconds * 1000) : new Date()
}
const MAX_SECONDS = 1e10

export async function personOf(
  key: Pick<WAMessageKey, 'remoteJidAlt'>,
  address: string,
  phoneOfLid: PhoneOfLid,
): Promise<{ readonly pessoa: Person; readonly numero: string | null; readonly lid: string | null }> {
  const { numero, lid } = await addressesOf(key, address, phoneOfLid)
  const pessoa = {
    endereco: address,
    outrosEnderecos: [numero, lid].filter((other) => other !== null).filter((other) => other !== address),
    telefone: numero === null ? '' : (jidDecode(numero)?.user ?? ''),
  }
  return { pessoa, numero, lid }
}

async function addressesOf(
  { remoteJidAlt }: Pick<WAMessageKey, 'remoteJidAlt'>,
  endereco: string,
  numeroDoLid: PhoneOfLid,
): Promise<{ numero: string | null; lid: string | null }> {
  const alternative = remoteJidAlt === undefined || remoteJidAlt === '' ? null : personJid(remoteJidAlt)
  const other = alternative !== null && isPersonJid(alternative) ? alternative : null
  if (!isLidUser(endereco)) return { numero: endereco, lid: other !== null && isLidUser(other) ? other : null }
  if (other !== null && isPnUser(other)) return { numero: other, lid: endereco }
  const seen = await numeroDoLid(endereco)
  return { numero: seen === null ? null : jidNormalizedUser(seen), lid: endereco }
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
  const pessoa = personJid(jid)
  return isPnUser(pessoa) === true || isLidUser(pessoa) === true
}

/** Addresses from the simulator or an import are bare phone numbers. */
export function jidOfAddress(address: string): string {
  return address.includes('@') ? address : `${address.replaceAll(/\D/g, '')}@s.whatsapp.net`
}
