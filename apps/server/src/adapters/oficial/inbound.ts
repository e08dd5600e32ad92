import { keyedQueue } from '@balcao/connector/keyed-queue'
import type { SessionHost } from '@balcao/connector/port'
import { retryUntilClosed } from '@balcao/connector/retry'
import type { OficialJournal, OficialJournalEntry } from '#ports/oficial.ts'
import { createApplyChange, type MetaChange, parseMetaChange, WaitingChanges } from './changes.ts'
import { type MetaMessage, parseMetaMessage } from './content.ts'
import { journalEntrySchema, type WebhookEvent } from './webhook-parse.ts'

export interface MetaInboundOptions {
  readonly host: Pick<SessionHost, 'contaId' | 'receive' | 'change' | 'findQuoted'>
  readonly journal: OficialJournal
  /**
   * Downloads the file of a message. Without its file the message still names the type of media. Fails only when a
   * later attempt may succeed.
   */
  readonly withFile: (message: MetaMessage) => Promise<MetaMessage['inbound']>
  readonly onStatus: (status: Extract<WebhookEvent, { tipo: 'status' }>) => Promise<void>
  readonly report: (error: unknown, event: string) => void
}

const WAIT_MS = 2_000
/** After this many attempts, later messages of the same person stop waiting for it. */
const ATTEMPTS = 30
const RETRYING = 'webhook entry not delivered, retrying'

/** Delivers journal entries to the bot, in order per contato, and deletes each once the bot has stored it. */
export class MetaInbound {
  readonly #options: MetaInboundOptions
  readonly #session = new AbortController()
  /** A file takes time, and later messages of the same contato must wait for it. */
  readonly #inTurn = keyedQueue()
  readonly #retry: <T>(step: () => Promise<T>) => Promise<T>
  readonly #applyChange: ReturnType<typeof createApplyChange>
  readonly #waiting = new WaitingChanges(() => void this.arrived())
  readonly #inProgress = new Set<string>()
  readonly #postponed = new Set<string>()
  readonly #statuses = new Set<Promise<void>>()
  #reading: Promise<void> | null = null
  #readAgain = false
  #retryTimer: NodeJS.Timeout | undefined

  constructor(options: MetaInboundOptions) {
    this.#options = options
    this.#applyChange = createApplyChange(options.host)
    this.#retry = retryUntilClosed({
      ...{ closed: this.#session.signal, waitMs: WAIT_MS, attempts: ATTEMPTS },
      onRetry: (error) => options.report(error, RETRYING),
    })
  }

  /** The journal has new entries. Resolves when all statuses of our messages in it have been handled. */
  async arrived(): Promise<void> {
    // A call during a read may concern entries that this read does not contain, so it reads again.
    this.#readAgain = true
    if (this.#isClosed()) return
    this.#reading ??= this.#read()
      .catch((error: unknown) => this.#readLater(error))
      .finally(() => (this.#reading = null))
    await this.#reading
    await Promise.all(this.#statuses)
  }

  close(): void {
    this.#session.abort(new Error('session closed'))
    this.#waiting.close()
    clearTimeout(this.#retryTimer)
  }

  #isClosed(): boolean {
    return this.#session.signal.aborted
  }

  async #read(): Promise<void> {
    const { host, journal } = this.#options
    do {
      this.#readAgain = false
      const skip = [...this.#inProgress, ...this.#postponed, ...this.#waiting.ids()]
      const entries = await journal.listEntries(host.contaId, skip)
      for (const entry of entries.map(openEntry).toSorted((a, b) => a.sentMs - b.sentMs)) this.#begin(entry)
      // A non-empty page: there may be more entries.
      if (entries.length > 0) this.#readAgain = true
    } while (this.#readAgain && !this.#isClosed())
  }

  #readLater(error: unknown): void {
    if (this.#isClosed()) return
    this.#options.report(error, RETRYING)
    this.#retryTimer ??= setTimeout(() => {
      this.#retryTimer = undefined
      this.#postponed.clear()
      void this.arrived()
    }, WAIT_MS)
  }

  #begin(entry: OpenEntry): void {
    const done = this.#handle(entry)
      .catch((error: unknown) => {
        this.#postponed.add(entry.id)
        this.#readLater(error)
      })
      .finally(() => {
        this.#inProgress.delete(entry.id)
        this.#statuses.delete(done)
      })
    this.#inProgress.add(entry.id)
    // Callers wait only for statuses; a file would take too long.
    if (entry.event?.tipo === 'status') this.#statuses.add(done)
  }

  async #handle(entry: OpenEntry): Promise<void> {
    const { host, journal } = this.#options
    const completed = (await this.#deliver(entry)) ? entry.id : this.#postpone(entry)
    if (completed !== null) await journal.completeEntry(host.contaId, [completed])
  }

  /** Returns false when the changed message has not arrived. */
  async #deliver({ event, message, change, arrivedAt }: OpenEntry): Promise<boolean> {
    if (event?.tipo === 'status') await this.#options.onStatus(event)
    else if (change !== null) {
      const ageMs = Date.now() - arrivedAt.getTime()
      return this.#inTurn(change.change.endereco, () => this.#retry(() => this.#applyChange(change, ageMs)))
    } else if (message !== null) await this.#inTurn(message.inbound.endereco, () => this.#receive(message))
    return true
  }

  /** Id of an entry that waited too long and must be dropped, or null. */
  #postpone({ id, change, arrivedAt }: OpenEntry): string | null {
    if (change === null || this.#isClosed()) return null
    return this.#waiting.wait(id, change.change.alvo, Date.now() - arrivedAt.getTime())
  }

  async #receive(message: MetaMessage): Promise<void> {
    const { host, withFile } = this.#options
    const received = await withFile(message)
    await this.#retry(async () => {
      // Meta sends only the id of the quoted message, not its text.
      const citada = message.quotedId === undefined ? null : await host.findQuoted(received, message.quotedId)
      this.#session.signal.throwIfAborted()
      await host.receive(citada === null ? received : { ...received, citada })
    })
    if (this.#waiting.arrived(received.id)) void this.arrived()
  }
}

interface OpenEntry {
  readonly id: string
  readonly event: WebhookEvent | null
  readonly message: MetaMessage | null
  readonly change: MetaChange | null
  readonly arrivedAt: Date
  /** Meta's webhooks arrive in any order, so waiting entries are sorted by this time. */
  readonly sentMs: number
}

function openEntry({ id, valor, arrivedAt: storedAt }: OficialJournalEntry): OpenEntry {
  // Rounded to seconds like Meta's timestamps; entries of one second keep the order of the journal.
  const arrivedAt = new Date(Math.floor(storedAt.getTime() / 1_000) * 1_000)
  const event = journalEntrySchema.safeParse(JSON.parse(valor)).data ?? null
  const written = event?.tipo === 'mensagem' ? event : null
  const message = written === null ? null : parseMetaMessage(written.mensagem, { ...written, arrivedAt })
  const change = written === null ? null : parseMetaChange(written.mensagem, { ...written, arrivedAt })
  const sentMs = (message?.inbound.enviadaEm ?? change?.at)?.getTime() ?? 0
  return { id, event, message, change, arrivedAt, sentMs }
}
