import type { FastifyBaseLogger } from 'fastify'
import { SendDeferred, SendFailed, SendRefused } from '@balcao/connector/errors'
import type { Connector } from '@balcao/connector/port'
import type { CrashPoints } from '#lib/crash-points.ts'
import { currentRequest, runForRequest } from '#lib/context/current-request.ts'
import type { OutboxRow } from '#modules/mensagens/index.ts'
import { Predecessors, type ReadRow } from './read-outbox.ts'

export interface OutboxItem extends ReadRow {
  readonly typing: boolean
  /** Arrival of the customer's message that this item answers first. Monotonic, in ms. */
  readonly arrivedAt?: number
  /** Publishes the sent message without reading it again. Absent: the row is read. */
  readonly onSent?: () => void
}

export const RETRY_WAITS_MS = [1_000, 5_000, 15_000, 60_000] as const
const SEND_TIMEOUT_MS = 30_000
/** Sends in a row without an answer after which the link counts as broken. */
const UNANSWERED_MAX = 3
/** A message that waited longer since its commit or read is looked up before it is sent. */
const FRESH_MS = 1_000
const LOOK_RETRY_MS = 1_000
const UNKNOWN_FAILURE_TEXT = 'o serviço de mensagens não levou esta mensagem'

export interface SendQueueOptions {
  readonly connector: Pick<Connector, 'send' | 'typing'>
  /** False while the link is down or the lease may have expired. The items stay in `saida`. */
  readonly maySend: () => boolean
  /** Lists all rows of the contatos that these rows of `saida` belong to. */
  readonly listBehind: (mensagemIds: readonly string[]) => Promise<readonly OutboxRow[]>
  readonly isStored: (mensagemId: string) => Promise<boolean>
  readonly now: () => Date
  /** Called when an attempt to send ended after `ms`. The queue may repeat it after `falhou` and `adiada`. */
  readonly attempted: (outcome: 'enviada' | 'adiada' | 'recusada' | 'falhou', ms: number) => void
  readonly sent: (item: OutboxItem) => void
  /** Stores the attempt and the error. The wait itself runs in memory. */
  readonly deferred: (item: OutboxItem, waitMs: number, error: string) => Promise<void>
  readonly failed: (item: OutboxItem, error: string) => Promise<void>
  readonly log: FastifyBaseLogger
  readonly crashPoint: CrashPoints
  readonly retryWaitsMs?: readonly number[]
  readonly sendTimeoutMs?: number
  readonly unanswered: () => void
}

/** Send queue of one session: in order within a contato, contatos in parallel. */
export class SendQueue {
  readonly #options: SendQueueOptions
  readonly #retryWaitsMs: readonly number[]
  readonly #byContato = new Map<string, OutboxItem[]>()
  /** Contatos with a message being sent or waiting for a retry. */
  readonly #busy = new Set<string>()
  /**
   * Ids from the commit until the row is deleted, so that a read of the table does not queue them twice. Each with the
   * monotonic time of its commit or read, in ms.
   */
  readonly #known = new Map<string, number>()
  readonly #retries = new Set<NodeJS.Timeout>()
  /** For each running read of `saida`, the rows deleted meanwhile, which the read may still return. */
  readonly #deletedWhileReading = new Set<Set<string>>()
  readonly #predecessors: Predecessors
  #unanswered = 0
  #closed = false

  constructor(options: SendQueueOptions) {
    this.#options = options
    this.#retryWaitsMs = options.retryWaitsMs ?? RETRY_WAITS_MS
    this.#predecessors = new Predecessors({
      isQueued: (mensagemId) => this.#known.has(mensagemId),
      queueBehind: (mensagemIds) => this.load(() => options.listBehind(mensagemIds), false),
      resolved: (contatos) => contatos.forEach((contatoId) => void this.#drain(contatoId)),
      log: options.log,
    })
  }

  get busy(): boolean {
    return this.#byContato.size > 0
  }

  /** Queues messages. One whose predecessor this queue never held waits until that was looked up. */
  add(items: readonly OutboxItem[]): void {
    const request = currentRequest()
    this.#queue(request === undefined ? items : items.map((item) => ({ ...item, request })), true)
  }

  #queue(items: readonly OutboxItem[], check: boolean): void {
    for (const item of items) {
      if (this.#known.has(item.mensagemId)) continue
      this.#predecessors.queued(item, check)
      this.#known.set(item.mensagemId, performance.now())
      const waiting = this.#byContato.get(item.contatoId)
      if (waiting === undefined) this.#byContato.set(item.contatoId, [item])
      else waiting.splice(this.#positionOf(item, waiting), 0, item)
    }
    for (const contatoId of new Set(items.map((item) => item.contatoId))) void this.#drain(contatoId)
  }

  resume(): void {
    for (const contatoId of this.#byContato.keys()) void this.#drain(contatoId)
  }

  /** True from the commit of the message until its row is deleted. */
  holds(mensagemId: string): boolean {
    return this.#known.has(mensagemId)
  }

  /** Queues the rows of `saida` that `list` returns. `check`: false when `list` returns all rows of each contato, in their order. */
  async load(list: () => Promise<readonly ReadRow[]>, check = true): Promise<void> {
    const deleted = new Set<string>()
    this.#deletedWhileReading.add(deleted)
    try {
      const pending = (await list()).filter(({ mensagemId }) => !deleted.has(mensagemId))
      const items = pending.map((mensagem) => ({ ...mensagem, typing: false }))
      if (!this.#closed) this.#queue(items, check)
    } finally {
      this.#deletedWhileReading.delete(deleted)
    }
  }

  forget(mensagemId: string): void {
    this.#known.delete(mensagemId)
    for (const deleted of this.#deletedWhileReading) deleted.add(mensagemId)
  }

  /** Drops a waiting message whose row was deleted. A message in flight is dropped at its next attempt. */
  drop({ contatoId, mensagemId }: Pick<OutboxItem, 'contatoId' | 'mensagemId'>): void {
    const items = this.#byContato.get(contatoId) ?? []
    const position = items.findIndex((item) => item.mensagemId === mensagemId)
    if (position === 0 && this.#busy.has(contatoId)) return
    if (position >= 0) items.splice(position, 1)
    this.forget(mensagemId)
  }

  dropContato(contatoId: string): void {
    for (const { mensagemId } of this.#byContato.get(contatoId)?.splice(0) ?? []) this.#known.delete(mensagemId)
  }

  close(): void {
    this.#closed = true
    this.#predecessors.close()
    for (const timer of this.#retries) clearTimeout(timer)
  }

  async #drain(contatoId: string): Promise<void> {
    const items = this.#byContato.get(contatoId)
    if (items === undefined || this.#busy.has(contatoId)) return
    this.#busy.add(contatoId)
    let item = this.#next(items)
    while (item !== undefined && this.#maySend(contatoId)) {
      const waitMs = await this.#attemptFor(item, items)
      if (waitMs > 0) return this.#retryLater(contatoId, waitMs)
      item = this.#next(items)
    }
    this.#busy.delete(contatoId)
    if (items.length === 0) this.#byContato.delete(contatoId)
  }

  #maySend(contatoId: string): boolean {
    return !this.#closed && this.#options.maySend() && !this.#predecessors.holds(contatoId)
  }

  /** Drops expired messages in front. Their rows stay until the periodic task marks them as failed. */
  #next(items: OutboxItem[]): OutboxItem | undefined {
    const now = this.#options.now()
    for (let [item] = items; item !== undefined; [item] = items) {
      if (item.expiresAt > now) return item
      items.shift()
      this.#known.delete(item.mensagemId)
    }
    return undefined
  }

  #isFresh({ mensagemId, attempts }: OutboxItem): boolean {
    return attempts === 0 && performance.now() - (this.#known.get(mensagemId) ?? 0) < FRESH_MS
  }

  /** Log lines of the attempt carry the request of this item, not the one that started the drain. */
  #attemptFor(item: OutboxItem, items: OutboxItem[]): Promise<number> {
    return runForRequest(item.request, () =>
      this.#isFresh(item) ? this.#attempt(item, items) : this.#attemptStored(item, items),
    )
  }

  /** As `#attempt`, for a message that waited: its contato may have been erased on a node whose wake-up was lost. */
  async #attemptStored(item: OutboxItem, items: OutboxItem[]): Promise<number> {
    const { isStored, log } = this.#options
    try {
      const stored = await isStored(item.mensagemId)
      // Dropped meanwhile, or the link went down.
      if (items[0] !== item || !this.#maySend(item.contatoId)) return 0
      if (stored) return await this.#attempt(item, items)
      items.shift()
      this.forget(item.mensagemId)
      return 0
    } catch (error) {
      log.error({ err: error, mensagemId: item.mensagemId }, 'waiting message not looked up, retrying')
      return LOOK_RETRY_MS
    }
  }

  #retryLater(contatoId: string, waitMs: number): void {
    const timer = setTimeout(() => {
      this.#retries.delete(timer)
      this.#busy.delete(contatoId)
      void this.#drain(contatoId)
    }, waitMs)
    this.#retries.add(timer)
  }

  /** Returns the wait in milliseconds until the next attempt, or 0 when the item left the queue. */
  async #attempt(item: OutboxItem, items: OutboxItem[]): Promise<number> {
    const { connector, crashPoint, sent, attempted } = this.#options
    crashPoint('saida.reivindicada')
    const began = performance.now()
    try {
      if (item.typing) connector.typing(item.endereco)
      await this.#send(item)
    } catch (error) {
      attempted(outcomeOf(error), performance.now() - began)
      return this.#notSent(item, items, error)
    }
    attempted('enviada', performance.now() - began)
    crashPoint('saida.enviada')
    items.shift()
    sent(item)
    return 0
  }

  async #send(item: OutboxItem): Promise<void> {
    const { connector, sendTimeoutMs = SEND_TIMEOUT_MS, unanswered } = this.#options
    const { promise: deadline, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      this.#unanswered += 1
      reject(new SendFailed('o serviço não respondeu'))
      if (this.#unanswered === UNANSWERED_MAX) unanswered()
    }, sendTimeoutMs)
    const answered = connector.send(item).finally(() => (this.#unanswered = 0))
    try {
      await Promise.race([answered, deadline])
    } finally {
      clearTimeout(timer)
    }
  }

  async #notSent(item: OutboxItem, items: OutboxItem[], error: unknown): Promise<number> {
    const { maySend, log, failed, deferred } = this.#options
    if (this.#closed || !maySend() || !this.#known.has(item.mensagemId)) return 0
    const text = failureText(error)
    if (text === null) log.warn({ err: error, mensagemId: item.mensagemId }, 'message not sent')
    const waitMs = this.#waitAfter(item, error)
    try {
      if (waitMs === undefined) {
        await failed(item, text ?? UNKNOWN_FAILURE_TEXT)
        items.shift()
        return 0
      }
      const retried = error instanceof SendDeferred ? item : { ...item, attempts: item.attempts + 1 }
      items[0] = retried
      await deferred(retried, waitMs, text ?? UNKNOWN_FAILURE_TEXT)
      return waitMs
    } catch (storing) {
      log.error({ err: storing, mensagemId: item.mensagemId }, 'failed send not stored')
      return waitMs ?? 1_000
    }
  }

  #waitAfter(item: OutboxItem, error: unknown): number | undefined {
    if (error instanceof SendDeferred) return error.waitMs
    return error instanceof SendRefused ? undefined : this.#retryWaitsMs[item.attempts]
  }

  /**
   * Sorts by id, which grows with time: a row read late goes before newer ones, but never before the message being
   * sent.
   */
  #positionOf({ mensagemId, contatoId }: OutboxItem, items: readonly OutboxItem[]): number {
    const first = this.#busy.has(contatoId) ? 1 : 0
    let position = items.length
    while (position > first && (items[position - 1]?.mensagemId ?? '') > mensagemId) position -= 1
    return position
  }
}

/** Returns the text of a failure that people may read. Null for errors of libraries and the network, which are not in Portuguese. */
function failureText(error: unknown): string | null {
  const readable = error instanceof SendFailed || error instanceof SendRefused || error instanceof SendDeferred
  return readable ? error.message : null
}

function outcomeOf(error: unknown): 'adiada' | 'recusada' | 'falhou' {
  if (error instanceof SendDeferred) return 'adiada'
  return error instanceof SendRefused ? 'recusada' : 'falhou'
}
