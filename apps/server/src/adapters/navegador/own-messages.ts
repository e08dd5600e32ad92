import { LRUCache } from 'lru-cache'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import { uuidAt } from '#lib/time.ts'
import { isPerson, toWebAddress, webKeyId, type WebMessage } from './shapes.ts'

/** Prefix of message ids created by browsers; phones use other ids. */
const BROWSER_ID = /^3EB0/
const MAX_MESSAGES = 5_000
/** Longest time in the queue, and tolerance between the clocks of page and server. */
const QUEUE_MAX_MS = 15 * 60_000
const CLOCK_TOLERANCE_MS = 2_000
const REFUSED_ACK = -1
const DELIVERED_ACK = 2
const READ_ACKS: ReadonlySet<unknown> = new Set([3, 4])

/**
 * Finds our own messages in the page. The page assigns its ids only after sending; before that, and for messages of
 * an earlier session, text and time identify them.
 */
export class OwnMessages {
  readonly #host: Pick<SessionHost, 'listSent'>
  readonly #matched = new Set<string>()
  readonly #byWebId = new LRUCache<string, string>({
    maxSize: MAX_MESSAGES,
    sizeCalculation: () => 1,
    dispose: (idExterno, _idWeb, reason) => {
      if (reason === 'evict') this.#matched.delete(idExterno)
    },
  })
  readonly #sent = new LRUCache<string, true>({ maxSize: MAX_MESSAGES, sizeCalculation: () => 1 })
  readonly #sending = new Set<Promise<void>>()

  constructor(host: Pick<SessionHost, 'listSent'>) {
    this.#host = host
  }

  /** Marks a send in progress, whose page id is unknown, until the returned function is called. */
  sending(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#sending.add(promise)
    return () => {
      this.#sending.delete(promise)
      resolve()
    }
  }

  async allKnown(): Promise<void> {
    await Promise.all(this.#sending)
  }

  remember(idWeb: string, idExterno: string): void {
    this.#match(idWeb, idExterno)
    this.#sent.set(idExterno, true)
  }

  /** True when this session sent it and the service has not refused it since. */
  alreadySent(idExterno: string): boolean {
    return this.#sent.has(idExterno)
  }

  refused(idExterno: string): void {
    this.#sent.delete(idExterno)
  }

  isKnown(idWeb: string): boolean {
    return this.#byWebId.has(idWeb)
  }

  async idExternoOf(message: WebMessage): Promise<string | null> {
    const { id, timestamp } = message
    const idWeb = webKeyId(id)
    const known = this.#byWebId.get(idWeb)
    if (known !== undefined) return known
    if (!id.fromMe || !BROWSER_ID.test(id.id)) return null
    const ms = timestamp * 1_000
    const candidates = await this.#host.listSent(uuidAt(ms - QUEUE_MAX_MS), uuidAt(ms + CLOCK_TOLERANCE_MS))
    const ours = sortById(candidates).find(
      (other) => !this.#matched.has(other.idExterno) && isSameMessage(other, message),
    )
    if (ours === undefined) return null
    this.#match(idWeb, ours.idExterno)
    return ours.idExterno
  }

  #match(idWeb: string, idExterno: string): void {
    this.#byWebId.set(idWeb, idExterno)
    this.#matched.add(idExterno)
  }
}

export function createWebReceipts(
  host: Pick<SessionHost, 'receipt' | 'undelivered'>,
  ownMessages: OwnMessages,
  report: (error: unknown, event: string) => void,
): (message: WebMessage, ack: unknown) => void {
  const handle = async (message: WebMessage, ack: unknown): Promise<void> => {
    if (ack !== REFUSED_ACK && ack !== DELIVERED_ACK && !READ_ACKS.has(ack)) return
    // The receipt may arrive before the id of the message.
    await ownMessages.allKnown()
    // A failed send already reported this refusal to the queue.
    if (ack === REFUSED_ACK && !ownMessages.isKnown(webKeyId(message.id))) return
    const idExterno = await ownMessages.idExternoOf(message)
    if (idExterno === null) return
    if (ack === REFUSED_ACK) {
      ownMessages.refused(idExterno)
      return host.undelivered(idExterno, 'o WhatsApp não entregou a mensagem')
    }
    host.receipt(idExterno, READ_ACKS.has(ack) ? 'lida' : 'entregue')
  }
  return (message, ack) => void handle(message, ack).catch((error: unknown) => report(error, 'receipt lost'))
}

/** Ids are UUIDv7, so their text order is their time order. */
export function sortById(sent: readonly OutboundMessage[]): OutboundMessage[] {
  return sent.toSorted((a, b) => (a.idExterno < b.idExterno ? -1 : 1))
}

export function isSameMessage({ texto, midia, endereco }: OutboundMessage, message: WebMessage): boolean {
  const { hasMedia, type, body, to } = message
  if ((midia?.url !== undefined) !== hasMedia) return false
  const captionless = hasMedia && (type === 'ptt' || type === 'audio' || type === 'sticker')
  return (captionless || (body ?? '').trim() === texto.trim()) && mayBeSamePerson(toWebAddress(endereco), to)
}

/** We may know the phone number where the page has the hidden address. Then only text and time can match. */
function mayBeSamePerson(ours: string, theirs: string): boolean {
  const domainOf = (idWeb: string): string => idWeb.slice(idWeb.indexOf('@'))
  return isPerson(theirs) && (domainOf(ours) !== domainOf(theirs) || ours === theirs)
}
