import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { WebClient } from './browser/library.ts'
import { withTimeout } from './failures.ts'

/** The shapes in which whatsapp-web.js 1.34 returns data of the page. */

const PERSON_ADDRESS = /^\d+(:\d+)?@(c\.us|s\.whatsapp\.net|lid)$/
const SYSTEM_ADDRESS = '0@c.us'
const LOOKUP_MS = 5_000
const MAX_PERSONS = 5_000

const nullable = <T extends z.core.SomeType>(shape: T) => z.optional(z.nullable(shape))
const widSchema = z.union([z.string(), z.object({ _serialized: z.string() })])

export const webKeySchema = z.object({
  _serialized: z.optional(z.string()),
  id: z.string(),
  fromMe: z.boolean(),
  remote: widSchema,
})
export type WebKey = z.output<typeof webKeySchema>

export const webMessageSchema = z.object({
  id: webKeySchema,
  type: z.string(),
  body: nullable(z.string()),
  from: z.string(),
  to: z.string(),
  /** Seconds. */
  timestamp: z.number(),
  ack: nullable(z.number()),
  hasMedia: z._default(z.boolean(), false),
  isStatus: nullable(z.boolean()),
  broadcast: nullable(z.boolean()),
  vCards: nullable(z.array(z.string())),
  title: nullable(z.string()),
  description: nullable(z.string()),
  pollName: nullable(z.string()),
  pollOptions: nullable(z.array(z.object({ name: z.string() }))),
  location: nullable(
    z.object({
      latitude: z.union([z.string(), z.number()]),
      longitude: z.union([z.string(), z.number()]),
      name: nullable(z.string()),
    }),
  ),
  protocolMessageKey: nullable(webKeySchema),
  _data: nullable(
    z.object({
      notifyName: nullable(z.string()),
      size: nullable(z.number()),
      mimetype: nullable(z.string()),
      filename: nullable(z.string()),
      quotedMsg: nullable(
        z.object({ type: nullable(z.string()), body: nullable(z.string()), caption: nullable(z.string()) }),
      ),
      quotedParticipant: nullable(widSchema),
    }),
  ),
})
export type WebMessage = z.output<typeof webMessageSchema>

export const sentMessageSchema = z.pick(webMessageSchema, { id: true, ack: true })

export const webReactionSchema = z.object({
  id: webKeySchema,
  msgId: webKeySchema,
  reaction: nullable(z.string()),
  senderId: nullable(widSchema),
})

export const webFileSchema = z.object({
  mimetype: z.string(),
  data: z.string(),
  filename: nullable(z.string()),
})

export const webChatSchema = z.object({
  id: z.object({ _serialized: z.string() }),
  timestamp: nullable(z.number()),
})

export const webAddressesSchema = z.object({ lid: nullable(z.string()), pn: nullable(z.string()) })

export const ownAccountSchema = z.object({
  pushname: nullable(z.string()),
  wid: z.object({ _serialized: z.string(), user: z.string() }),
})

/** `_serialized` is missing when the page returns only the parts. */
export function webKeyId({ _serialized, id, fromMe, remote }: WebKey): string {
  return _serialized ?? `${fromMe}_${widText(remote)}_${id}`
}

export function widText(value: z.output<typeof widSchema>): string {
  return typeof value === 'string' ? value : value._serialized
}

export interface Downloadable {
  readonly downloadMedia: () => Promise<unknown>
}

/** True for the library's own message object, which can download its file; parsed copies cannot. */
export function isDownloadable(raw: unknown): raw is Downloadable {
  return typeof raw === 'object' && raw !== null && 'downloadMedia' in raw && typeof raw.downloadMedia === 'function'
}

export function chatIdOf({ id, from, to }: Pick<WebMessage, 'id' | 'from' | 'to'>): string {
  return id.fromMe ? to : from
}

export interface ChangeableMessage {
  /** Null when the page does not allow it. */
  readonly edit: (content: string) => Promise<unknown>
  readonly delete: (everyone: boolean) => Promise<unknown>
}

export function isChangeable(raw: unknown): raw is ChangeableMessage {
  return typeof raw === 'object' && raw !== null && 'edit' in raw && 'delete' in raw
}

interface WebChat {
  readonly fetchMessages: (request: { limit: number; fromMe?: boolean }) => Promise<unknown[]>
  readonly sendStateTyping: () => Promise<unknown>
}

export function isWebChat(raw: unknown): raw is WebChat {
  return typeof raw === 'object' && raw !== null && 'fetchMessages' in raw && 'sendStateTyping' in raw
}

export function isPerson(idWeb: string): boolean {
  return idWeb !== SYSTEM_ADDRESS && PERSON_ADDRESS.test(idWeb)
}

/**
 * The page writes a number as `…@c.us`, the protocol as `…@s.whatsapp.net`. Contatos are stored in the protocol's
 * form, so both connectors find the same contato.
 */
export function fromWebAddress(idWeb: string): string {
  return idWeb.replace(/:\d+(?=@)/, '').replace(/@c\.us$/, '@s.whatsapp.net')
}

/** Also accepts a bare number, as the simulator and imported contatos have. */
export function toWebAddress(address: string): string {
  if (!address.includes('@')) return `${address.replaceAll(/\D/g, '')}@c.us`
  return address.replace(/@s\.whatsapp\.net$/, '@c.us')
}

function phoneOfAddress(address: string): string {
  return /^(\d+)@s\.whatsapp\.net$/.exec(address)?.[1] ?? ''
}

export interface WebPerson {
  readonly endereco: string
  readonly outrosEnderecos: readonly string[]
  readonly telefone: string
}

export type FindPerson = (idWeb: string) => Promise<WebPerson>

export function createFindPerson(client: Pick<WebClient, 'getContactLidAndPhone'>): FindPerson {
  const known = new LRUCache<string, WebPerson>({ maxSize: MAX_PERSONS, sizeCalculation: () => 1 })
  return async (idWeb) => {
    const cached = known.get(idWeb)
    if (cached !== undefined) return cached
    const endereco = fromWebAddress(idWeb)
    const found = await lookUpAddresses(client, idWeb)
    const outrosEnderecos = found.filter((other) => other !== endereco)
    const telefone = [endereco, ...outrosEnderecos].map(phoneOfAddress).find((digits) => digits !== '') ?? ''
    const person = { endereco, outrosEnderecos, telefone }
    // Cached only with a second address, because the page may learn it later.
    if (outrosEnderecos.length > 0) known.set(idWeb, person)
    return person
  }
}

/** A failed lookup must not delay the message. */
async function lookUpAddresses(client: Pick<WebClient, 'getContactLidAndPhone'>, idWeb: string): Promise<string[]> {
  try {
    const [reply] = await withTimeout(client.getContactLidAndPhone([idWeb]), LOOKUP_MS)
    const { lid, pn } = webAddressesSchema.parse(reply)
    return [pn, lid].flatMap((other) => (other ? [fromWebAddress(other)] : [])).filter((other) => isPerson(other))
  } catch {
    return []
  }
}
