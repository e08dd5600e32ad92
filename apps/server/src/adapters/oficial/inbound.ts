import { manyKeyedQueue } from '@balcao/connector/keyed-queue'
import type { IdentityNotice, SessionHost } from '@balcao/connector/port'
import { retryUntilClosed } from '@balcao/connector/retry'
import type { OficialJournal, OficialJournalEntry } from '#ports/oficial.ts'
import { createApplyChange, type MetaChange, parseMetaChange, TARGET_MAX_MS, WaitingChanges } from './changes.ts'
import { type MetaMessage, parseMetaMessage } from './content.ts'
import { metaAddresses, type MetaPerson, parseMetaMove } from './identity.ts'
import { journalEntrySchema, type WebhookEvent } from './webhook-parse.ts'

export interface MetaInboundOptions {
  readonly host: Pick<SessionHost, 'contaId' | 'linhaId' | 'now' | 'receive' | 'change' | 'identity' | 'findQuoted'>
  readonly journal: OficialJournal
  readonly withFile: (message: MetaMessage) => Promise<MetaMessage['inbound']>
  readonly onStatus: (status: Extract<WebhookEvent, { tipo: 'status' }>) => Promise<void>
  readonly report: (error: unknown, event: string) => void
}

const WAIT_MS = 2_000
/** After this many attempts, later messages of the same person stop waiting for it. */
const ATTEMPTS = 30
/** Characters of the entries in progress. A journal of many large entries does not fit into memory. */
const IN_PROGRESS_MAX = 20_000_000
const RETRYING = 'webhook entry not delivered, retrying'

/** Delivers journal entries to the bot, in order per person, and deletes each once the bot has stored it. */
export class MetaInbound {
  readonly #options: MetaInboundOptions
  readonly #session = new AbortController()
  /** By address. A file takes time, and later messages of the same person must wait for it. */
  readonly #inTurn = manyKeyedQueue()
  readonly #retry: <T>(step: () => Promise<T>) => Promise<T>
  readonly #applyChange: ReturnType<typeof createApplyChange>
  readonly #waiting = new WaitingChanges(() => void this.arrived())
  readonly #inProgress = new Set<string>()
  #charsInProgress = 0
  #continueReading: () => void = () => undefined
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
    this.#continueReading()
  }

  #isClosed(): boolean {
    return this.#session.signal.aborted
  }

  async #read(): Promise<void> {
    const { host, journal } = this.#options
    do {
      this.#readAgain = false
      const skip = [...this.#inProgress, ...this.#postponed, ...this.#waiting.ids()]
      const entries = await journal.listEntries(host, skip)
      for (const entry of entries.map(openEntry).toSorted((a, b) => a.sentMs - b.sentMs)) this.#begin(entry)
      if (entries.length > 0) this.#readAgain = true
      if (!this.#hasRoom()) await new Promise<void>((resolve) => (this.#continueReading = resolve))
    } while (this.#readAgain && !this.#isClosed())
  }

  #hasRoom(): boolean {
    return this.#charsInProgress < IN_PROGRESS_MAX || this.#isClosed()
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
        this.#charsInProgress -= entry.chars
        if (this.#hasRoom()) this.#continueReading()
      })
    this.#inProgress.add(entry.id)
    this.#charsInProgress += entry.chars
    // Callers wait only for statuses; a file would take too long.
    if (entry.event?.tipo === 'status') this.#statuses.add(done)
  }

  async #handle(entry: OpenEntry): Promise<void> {
    const { host, journal } = this.#options
    const completed = (await this.#deliver(entry)) ? entry.id : this.#postpone(entry)
    if (completed !== null) await journal.completeEntry(host, [completed])
  }

  /** Returns false when the changed message, or a message of the announced customer, has not arrived. */
  async #deliver({ event, message, change, move, arrivedAt }: OpenEntry): Promise<boolean> {
    const ageMs = this.#ageOf(arrivedAt)
    if (event?.tipo === 'status') {
      await this.#options.onStatus(event)
      await this.#joinRecipient(event, arrivedAt)
    } else if (change !== null) {
      return this.#inTurn(addressesOf(change.change), () => this.#retry(() => this.#applyChange(change, ageMs)))
    } else if (move !== null) {
      const known = await this.#inTurn(movedAddresses(move), () => this.#retry(() => this.#options.host.identity(move)))
      return known || ageMs > TARGET_MAX_MS
    } else if (message !== null) await this.#inTurn(addressesOf(message.inbound), () => this.#receive(message))
    return true
  }

  /** A status names the phone and the ids of one person, who may have been known by one of them only. */
  async #joinRecipient({ pessoa = [] }: Extract<WebhookEvent, { tipo: 'status' }>, em: Date): Promise<void> {
    const atuais = metaAddresses(pessoa)
    if (atuais.length > 1) await this.#options.host.identity({ atuais, deixados: [], em })
  }

  #ageOf(arrivedAt: Date): number {
    return this.#options.host.now().getTime() - arrivedAt.getTime()
  }

  #postpone({ id, change, move, arrivedAt }: OpenEntry): string | null {
    if (this.#isClosed()) return null
    const targets = change !== null ? [change.change.alvo] : move !== null ? movedAddresses(move) : []
    return targets.length === 0 ? null : this.#waiting.wait(id, targets, this.#ageOf(arrivedAt))
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
    if (this.#waiting.arrived([received.id, ...addressesOf(received)])) void this.arrived()
  }
}

const addressesOf = ({ endereco, outrosEnderecos = [] }: MetaPerson): string[] => [endereco, ...outrosEnderecos]

const movedAddresses = ({ atuais, deixados }: IdentityNotice): string[] =>
  [...atuais, ...deixados].map(({ endereco }) => endereco)

interface OpenEntry {
  readonly id: string
  readonly chars: number
  readonly event: WebhookEvent | null
  readonly message: MetaMessage | null
  readonly change: MetaChange | null
  readonly move: IdentityNotice | null
  readonly arrivedAt: Date
  /** Meta's webhooks arrive in any order, so waiting entries are sorted by this time. */
  readonly sentMs: number
}

function openEntry({ id, valor, arrivedAt: storedAt }: OficialJournalEntry): OpenEntry {
  // Rounded to seconds like Meta's timestamps; entries of one second keep the order of the journal.
  const arrivedAt = new Date(Math.floor(storedAt.getTime() / 1_000) * 1_000)
  const event = journalEntrySchema.safeParse(JSON.parse(valor)).data ?? null
  return { id, chars: valor.length, event, arrivedAt, ...openWritten(event, arrivedAt) }
}

type OpenWritten = Pick<OpenEntry, 'message' | 'change' | 'move' | 'sentMs'>

const NOT_WRITTEN: OpenWritten = { message: null, change: null, move: null, sentMs: 0 }

function openWritten(event: WebhookEvent | null, arrivedAt: Date): OpenWritten {
  if (event?.tipo !== 'mensagem') return NOT_WRITTEN
  const frame = { ...event, arrivedAt }
  const message = parseMetaMessage(event.mensagem, frame)
  const change = parseMetaChange(event.mensagem, frame)
  const move = parseMetaMove(event.mensagem, frame)
  const sentMs = (message?.inbound.enviadaEm ?? change?.at ?? move?.em)?.getTime() ?? 0
  return { message, change, move, sentMs }
}
