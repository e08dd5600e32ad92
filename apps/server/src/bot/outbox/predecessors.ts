import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createBoundedCache } from '#lib/bounded-cache.ts'
import type { OutboxRow } from '#modules/conversas/index.ts'

const CONTATOS_CACHED = 10_000
const RETRY_MS = 1_000

export interface PredecessorsOptions {
  /** True while the queue holds this message. */
  readonly isQueued: (mensagemId: string) => boolean
  /** Queues the waiting messages of the contatos of these rows of `saida`. Rows that were deleted have left. */
  readonly queueBehind: (mensagemIds: readonly string[]) => Promise<void>
  /** Called when these contatos wait for no lookup any more. */
  readonly resolved: (contatos: readonly string[]) => void
  readonly log: FastifyBaseLogger
}

type Linked = Pick<OutboxRow, 'contatoId' | 'mensagemId' | 'anterior'>

/**
 * Keeps the order of messages that different nodes wrote for one contato. Each message names the one promised before it.
 * When the queue never held that one, the contato waits until it was looked up in `saida`.
 */
export class Predecessors {
  readonly #options: PredecessorsOptions
  /** By contato, the message queued last. */
  readonly #last = createBoundedCache<{ mensagemId: string }>(CONTATOS_CACHED)
  /** By contato, the messages to look up. */
  #missing = new Map<string, Set<string>>()
  #lookedUp: ReadonlyMap<string, unknown> = new Map()
  #running = false
  #closed = false

  constructor(options: PredecessorsOptions) {
    this.#options = options
  }

  /** True while a message of this contato that must leave earlier may be missing. */
  holds(contatoId: string): boolean {
    return this.#missing.has(contatoId) || this.#lookedUp.has(contatoId)
  }

  /** `check`: false for a message that was read together with all waiting ones of its contato. */
  queued({ contatoId, mensagemId, anterior }: Linked, check: boolean): void {
    const last = this.#last.get(contatoId)
    const isNext = anterior === null || anterior === last?.mensagemId || this.#options.isQueued(anterior)
    if (last === undefined) this.#last.set(contatoId, { mensagemId })
    else last.mensagemId = mensagemId
    if (check && !isNext) this.#lookFor(contatoId, anterior)
  }

  #lookFor(contatoId: string, mensagemId: string): void {
    const missing = this.#missing.get(contatoId) ?? new Set<string>()
    this.#missing.set(contatoId, missing.add(mensagemId))
    if (this.#running) return
    this.#running = true
    void this.#run()
  }

  close(): void {
    this.#closed = true
  }

  async #run(): Promise<void> {
    while (this.#missing.size > 0 && !this.#closed) {
      await new Promise((resolve) => setImmediate(resolve))
      const batch = this.#missing
      this.#lookedUp = batch
      this.#missing = new Map()
      await this.#lookUp([...batch.values()].flatMap((ids) => [...ids]))
      this.#lookedUp = new Map()
      this.#options.resolved([...batch.keys()])
    }
    this.#running = false
  }

  async #lookUp(mensagemIds: readonly string[]): Promise<void> {
    while (!this.#closed) {
      try {
        return await this.#options.queueBehind(mensagemIds)
      } catch (error) {
        this.#options.log.error({ err: error }, 'earlier messages not looked up, retrying')
        await setTimeout(RETRY_MS, undefined, { ref: false })
      }
    }
  }
}
