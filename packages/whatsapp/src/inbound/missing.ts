import type { InboundMessage, JournalEntry, SessionHost } from '@balcao/connector/port'
import { type BinaryNode, isLidUser, type WAMessage } from 'baileys'
import { LRUCache } from 'lru-cache'
import { deserialize, serialize } from '#socket/credentials.ts'
import { NOT_ARRIVED_TEXT, VIEW_ONCE_TEXT } from './content.ts'
import { type InboundContext, messageOfEnvelope, personOf, sentAt } from './message.ts'

export interface MissingOptions {
  readonly keys: Pick<SessionHost['keys'], 'write' | 'completeEntry'>
  readonly onMissing: (entry: JournalEntry) => void
  readonly ended: AbortSignal
  readonly waitMs?: number | undefined
}

const WAIT_MS = 2 * 60_000
const RETRY_MS = 2_000
const REMEMBERED = 2_000

/** As stored in the journal under the key `ausente`. */
interface MissingEntry {
  readonly envelope: BinaryNode['attrs']
  readonly umaVez: boolean
}

interface PendingContent {
  readonly entry: JournalEntry
  readonly viewOnce: boolean
  stored: boolean
  arrived: boolean
  timer?: NodeJS.Timeout
}

/**
 * Messages without content: view-once messages (phone only), messages started by an advertisement (requested from
 * the phone) and messages that could not be decrypted (requested from the sender). Most contents arrive within
 * moments. Otherwise the operator gets a placeholder.
 */
export class MissingMessages {
  readonly #options: MissingOptions
  readonly #waiting = new Map<string, PendingContent>()
  /**
   * Ids of messages read recently. The server repeats a message whose confirmation was lost, and it cannot be
   * decrypted a second time.
   */
  readonly #read = new LRUCache<string, true>({ max: REMEMBERED })
  #connected = false

  constructor(options: MissingOptions) {
    this.#options = options
    options.ended.addEventListener('abort', () => {
      for (const { timer } of this.#waiting.values()) clearTimeout(timer)
    })
  }

  /** Resolves once the stanza is in the journal. Only then may the server get its acknowledgement. */
  async sawStanza({ attrs, content }: BinaryNode): Promise<void> {
    const children = Array.isArray(content) ? content : []
    const missing = children.find(({ tag }) => tag === 'unavailable')
    if (missing === undefined || children.some(({ tag }) => tag === 'enc')) return
    await this.#store({ envelope: attrs, umaVez: missing.attrs.type?.startsWith('view_once') === true })
  }

  sawUnreadable({ key, pushName, messageTimestamp }: WAMessage): Promise<void> {
    const from = key.remoteJid ?? ''
    const other = isLidUser(from) === true ? 'sender_pn' : 'sender_lid'
    const envelope = {
      ...{ from, id: key.id ?? '', t: String(messageTimestamp ?? ''), notify: pushName ?? '' },
      ...(key.remoteJidAlt ? { [other]: key.remoteJidAlt } : {}),
    }
    return this.#store({ envelope, umaVez: false })
  }

  isMissing(messageId: string): boolean {
    return this.#waiting.has(entryIdOf(messageId))
  }

  contentArrived(messageId: string): void {
    this.#read.set(messageId, true)
    const pending = this.#waiting.get(entryIdOf(messageId))
    if (pending === undefined || pending.arrived) return
    pending.arrived = true
    clearTimeout(pending.timer)
    if (pending.stored) this.#complete(pending)
  }

  /**
   * True if the content of this journal entry may still arrive. For an entry of an earlier process the wait starts
   * now, because the server delivers the message again after a reconnect.
   */
  waitFor(entry: JournalEntry): boolean {
    if (this.#waiting.has(entry.id)) return true
    const missing = missingEntryOf(entry)
    if (missing === undefined || missing.umaVez) return false
    const arrived = this.#read.has(missing.envelope.id ?? '')
    const pending: PendingContent = { entry, viewOnce: false, stored: true, arrived }
    this.#waiting.set(entry.id, pending)
    this.#startWait(pending)
    return true
  }

  /** Sets whether a connection exists. Without one no content can arrive, so each connection starts the wait again. */
  setConnected(connected: boolean): void {
    this.#connected = connected
    for (const pending of this.#waiting.values()) {
      if (!pending.stored || pending.arrived || pending.viewOnce) continue
      clearTimeout(pending.timer)
      this.#startWait(pending)
    }
  }

  async #store(missing: MissingEntry): Promise<void> {
    const messageId = missing.envelope.id ?? ''
    const id = entryIdOf(messageId)
    if (this.#waiting.has(id) || this.#read.has(messageId)) return
    const entry = { id, valor: serialize({ ausente: missing }) }
    const pending: PendingContent = { entry, viewOnce: missing.umaVez, stored: false, arrived: false }
    this.#waiting.set(id, pending)
    try {
      await this.#options.keys.write([], [entry])
    } catch (error) {
      this.#waiting.delete(id)
      throw error
    }
    pending.stored = true
    this.#startWait(pending)
  }

  #startWait(pending: PendingContent): void {
    const { entry, viewOnce } = pending
    if (pending.arrived) return this.#complete(pending)
    if (!viewOnce && !this.#connected) return
    const { onMissing, waitMs = WAIT_MS } = this.#options
    this.#schedule(pending, viewOnce ? 0 : waitMs, () => {
      this.#waiting.delete(entry.id)
      onMissing(entry)
    })
  }

  /** The entry stays in `#waiting` until it is deleted from the journal, so it is never reported as missing. */
  #complete(pending: PendingContent): void {
    const { id } = pending.entry
    this.#options.keys.completeEntry(id).then(
      () => this.#waiting.delete(id),
      () => this.#schedule(pending, RETRY_MS, () => this.#complete(pending)),
    )
  }

  #schedule(pending: PendingContent, ms: number, run: () => void): void {
    if (!this.#options.ended.aborted) pending.timer = setTimeout(run, ms).unref()
  }
}

const entryIdOf = (messageId: string): string => `ausente ${messageId}`

function missingEntryOf({ valor }: JournalEntry): MissingEntry | undefined {
  const { ausente }: { ausente?: MissingEntry } = deserialize(valor)
  return ausente
}

const PLACEHOLDER_PREFIX = 'ausente:'

/** Id of the message that this placeholder stands for; null if it is no placeholder. */
export const missingIdOf = (id: string): string | null =>
  id.startsWith(PLACEHOLDER_PREFIX) ? id.slice(PLACEHOLDER_PREFIX.length) : null

export async function readMissing(
  entry: JournalEntry,
  { self, phoneOfLid, now }: InboundContext,
): Promise<InboundMessage | null> {
  const missing = missingEntryOf(entry)
  if (missing === undefined) return null
  const message = messageOfEnvelope(missing.envelope, self)
  const { key, pushName } = message
  const deMim = key.fromMe === true
  return {
    ...(await personOf(key, key.remoteJid ?? '', phoneOfLid)).person,
    // A separate id, because the content may arrive later as a message.
    ...{ id: PLACEHOLDER_PREFIX + (key.id ?? ''), nome: deMim ? '' : (pushName ?? ''), deMim },
    ...{ texto: missing.umaVez ? VIEW_ONCE_TEXT : NOT_ARRIVED_TEXT, midia: { tipo: 'outro' } },
    enviadaEm: sentAt(message, now),
  }
}
