import type { WAMessage, WAMessageKey } from 'baileys'
import { LRUCache } from 'lru-cache'
import { keyedQueue, serialQueue } from '@balcao/connector/keyed-queue'
import type { InboundMessage, JournalEntry, MessageChange, SessionHost } from '@balcao/connector/port'
import { retryUntilClosed } from '@balcao/connector/retry'
import { createStoreMedia } from '@balcao/connector/store-media'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { LogFailure } from '#options.ts'
import { downloadMedia } from '#outbound/media.ts'
import type { MediaServer } from '#outbound/media-server.ts'
import {
  type InboundContext,
  isChange,
  messageOfEntry,
  type PhoneOfLid,
  readMissedCall,
  type Self,
  toInbound,
} from './message.ts'
import { missingIdOf, readMissing } from './missing.ts'

export interface InboundOptions {
  readonly host: Pick<SessionHost, 'now' | 'keys' | 'receive' | 'change' | 'findQuoted' | 'storeMedia'>
  readonly mediaServer: MediaServer
  readonly self: () => Self
  readonly phoneOfLid: PhoneOfLid
  /** True while a journal entry is still open: a ringing call, or a message whose content may arrive. */
  readonly isOpen: (entry: JournalEntry) => boolean
  readonly contentArrived: (id: string) => void
  readonly isMissing: (id: string) => boolean
  readonly externalIdOf: (id: string) => Promise<string>
  readonly logFailure: LogFailure
  /** Aborted when the session ends. */
  readonly ended: AbortSignal
  readonly retryMs?: number | undefined
}

const RETRY_MS = 2_000
/** After this many failures later messages of the same person stop waiting. */
const MAX_ATTEMPTS = 30
const REMEMBERED = 2_000
const MAX_UNREAD_CHATS = 2_000
const MAX_UNREAD_PER_CHAT = 50

interface Delivery {
  readonly complete: () => Promise<void>
  readonly end: () => void
}

/** Passes journal entries to the host in order. An entry is deleted only after the host stored its message. */
export class Inbound {
  readonly #options: InboundOptions
  readonly #retryMs: number
  readonly #inProgress = new Set<string>()
  readonly #fromJournal = new LRUCache<string, true>({ max: REMEMBERED })
  readonly #unread = new LRUCache<string, readonly WAMessageKey[]>({ max: MAX_UNREAD_CHATS })
  /** Messages are converted in order; the host stores messages of different people in parallel. */
  readonly #inOrder = serialQueue()
  readonly #inTurn = keyedQueue()
  /** Retries in place, so that later messages do not overtake this one. */
  readonly #retry: ReturnType<typeof retryUntilClosed>
  /** The journal entry has the only key of the file, so a failed store is repeated before the entry is deleted. */
  readonly #storeMedia: SessionHost['storeMedia']
  #recovery: NodeJS.Timeout | undefined

  constructor(options: InboundOptions) {
    const { host, ended, logFailure, retryMs = RETRY_MS } = options
    this.#options = options
    this.#retryMs = retryMs
    this.#retry = retryUntilClosed({
      ...{ closed: ended, waitMs: retryMs, attempts: MAX_ATTEMPTS },
      onRetry: (error) => logFailure(error, 'message step failed, retrying'),
    })
    this.#storeMedia = createStoreMedia(host, logFailure, retryMs)
    ended.addEventListener('abort', () => clearTimeout(this.#recovery))
  }

  arrived(entry: JournalEntry): void {
    const { id } = entry
    if (this.#hasEnded || this.#inProgress.has(id)) return
    this.#inProgress.add(id)
    const end = (): void => void this.#inProgress.delete(id)
    this.#enqueue(async () => {
      try {
        await this.#open(entry, end)
      } catch (error) {
        end()
        throw error
      }
    })
  }

  reported(message: WAMessage): void {
    // A stub could not be decrypted; the library has already requested the message again.
    if (this.#hasEnded || !message.message) return
    const id = message.key.id ?? ''
    // Runs after queued journal entries, because only then `#fromJournal` is complete.
    this.#enqueue(async () => {
      // Until the host has stored the message, only its entry as missing is in the journal.
      const complete = async (): Promise<void> => this.#options.contentArrived(id)
      if (this.#fromJournal.has(id)) return complete()
      await this.#read(message, { complete, end: () => undefined })
    })
  }

  /** Delivers the entries that an earlier process or a failed step left. */
  async recover(): Promise<void> {
    try {
      for (const entry of await this.#options.host.keys.listEntries()) {
        if (!this.#inProgress.has(entry.id) && !this.#options.isOpen(entry)) this.arrived(entry)
      }
    } catch (error) {
      this.#failed(error)
    }
  }

  takeUnread(address: string): readonly WAMessageKey[] {
    const keys = this.#unread.get(address) ?? []
    this.#unread.delete(address)
    return keys
  }

  get #hasEnded(): boolean {
    return this.#options.ended.aborted
  }

  #enqueue(step: () => Promise<void>): void {
    this.#inOrder(step).catch((error: unknown) => this.#options.logFailure(error, 'message not read'))
  }

  async #open(entry: JournalEntry, end: () => void): Promise<void> {
    const { host, self, contentArrived } = this.#options
    const complete = (): Promise<void> => host.keys.completeEntry(entry.id)
    const standIn = (await readMissedCall(entry, this.#phoneOfLid)) ?? (await readMissing(entry, this.#context()))
    if (standIn !== null) return this.#hasEnded ? end() : this.#deliver(standIn, null, { complete, end })
    const message = messageOfEntry(entry, self())
    const id = message.key.id ?? ''
    this.#fromJournal.set(id, true)
    contentArrived(id)
    await this.#read(message, { complete, end })
  }

  readonly #phoneOfLid: PhoneOfLid = async (lid) => {
    try {
      return await this.#retry(() => this.#options.phoneOfLid(lid))
    } catch (error) {
      this.#failed(error)
      throw error
    }
  }

  #context(): InboundContext {
    const { self, host } = this.#options
    return { self: self(), phoneOfLid: this.#phoneOfLid, now: host.now }
  }

  async #read(message: WAMessage, delivery: Delivery): Promise<void> {
    const inbound = await toInbound(message, this.#context())
    if (this.#hasEnded) return delivery.end()
    if (inbound?.deMim === false && !isChange(inbound)) this.#addUnread(inbound.endereco, message.key)
    this.#deliver(inbound, message.message, delivery)
  }

  #addUnread(address: string, key: WAMessageKey): void {
    const earlier = this.#unread.get(address) ?? []
    this.#unread.set(address, [...earlier.slice(1 - MAX_UNREAD_PER_CHAT), key])
  }

  /** Not awaited by its callers, so messages of other people do not wait. */
  #deliver(
    inbound: InboundMessage | MessageChange | null,
    content: WAMessage['message'],
    { complete, end }: Delivery,
  ): void {
    const store = async (): Promise<void> => {
      if (inbound === null || (await this.#inTurnOf(inbound, () => this.#store(content, inbound)))) await complete()
      else this.#recoverLater()
    }
    void store()
      .catch((error: unknown) => this.#failed(error))
      .finally(end)
  }

  /** Messages of one person wait for each other, whatever the address, for example while a file is downloaded. */
  #inTurnOf<T>({ endereco, telefone }: InboundMessage | MessageChange, step: () => Promise<T>): Promise<T> {
    return this.#inTurn(telefone === '' ? endereco : telefone, step)
  }

  /** Returns false if the change may succeed later; the entry then stays in the journal. */
  async #store(content: WAMessage['message'], inbound: InboundMessage | MessageChange): Promise<boolean> {
    if (!isChange(inbound)) {
      await this.#storeMessage(content, inbound)
      return true
    }
    const { host, isMissing, externalIdOf } = this.#options
    const wasMissing = isMissing(inbound.alvo)
    const known = await this.#retry(async () => host.change({ ...inbound, alvo: await externalIdOf(inbound.alvo) }))
    return known || !wasMissing
  }

  async #storeMessage(content: WAMessage['message'], inbound: InboundMessage): Promise<void> {
    const { host, logFailure } = this.#options
    const missingId = missingIdOf(inbound.id)
    // An earlier process stored the real message, and the server repeated it because the confirmation was lost.
    if (missingId !== null && (await this.#retry(() => host.findQuoted(inbound, missingId))) !== null) return
    if (inbound.midia === undefined) return this.#retry(() => host.receive(inbound))
    const stored = await this.#storeFile(content).catch((error: unknown) => logFailure(error, 'media file not stored'))
    const midia = stored ?? inbound.midia
    // The session closed before the message was stored. The next session reads it from the journal.
    if (this.#hasEnded) throw new Error('session closed')
    await this.#retry(() => host.receive({ ...inbound, midia }))
  }

  async #storeFile(content: WAMessage['message']): Promise<Midia | undefined> {
    const file = await downloadMedia(content, this.#options.mediaServer)
    return file === null ? undefined : this.#storeMedia(file.bytes, file.name)
  }

  #failed(error: unknown): void {
    if (this.#hasEnded) return
    this.#options.logFailure(error, 'message not passed to the host, retrying')
    this.#recoverLater()
  }

  #recoverLater(): void {
    if (this.#hasEnded) return
    this.#recovery ??= setTimeout(() => {
      this.#recovery = undefined
      void this.recover()
    }, this.#retryMs)
  }
}
