import type { FastifyBaseLogger } from 'fastify'
import { createBoundedCache } from '#lib/bounded-cache.ts'
import { Collector } from '#lib/queue/collector.ts'
import type { OutboxRow } from '#modules/mensagens/index.ts'

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

interface Missing {
  readonly contatoId: string
  readonly mensagemId: string
}

type Linked = Pick<OutboxRow, 'contatoId' | 'mensagemId' | 'anterior'>

/**
 * Keeps the order of messages that different nodes wrote for one contato. Each message names the one promised before it.
 * When the queue never held that one, the contato waits until it was looked up in `saida`.
 */
export class Predecessors {
  readonly #options: PredecessorsOptions
  readonly #last = createBoundedCache<{ mensagemId: string }>(CONTATOS_CACHED)
  readonly #missing: Collector<Missing>
  /** By contato, the number of its messages that `#missing` has not looked up. */
  readonly #held = new Map<string, number>()

  constructor(options: PredecessorsOptions) {
    this.#options = options
    const failed = (error: unknown): void =>
      options.log.error({ err: error }, 'earlier messages not looked up, retrying')
    this.#missing = new Collector({ flush: (missing) => this.#lookUp(missing), retry: { ms: RETRY_MS, failed } })
  }

  /** True while a message of this contato that must leave earlier may be missing. */
  holds(contatoId: string): boolean {
    return this.#held.has(contatoId)
  }

  /** `check`: false for a message that was read together with all waiting ones of its contato. */
  queued({ contatoId, mensagemId, anterior }: Linked, check: boolean): void {
    const last = this.#last.get(contatoId)
    const isNext = anterior === null || anterior === last?.mensagemId || this.#options.isQueued(anterior)
    if (last === undefined) this.#last.set(contatoId, { mensagemId })
    else last.mensagemId = mensagemId
    if (!check || isNext) return
    this.#held.set(contatoId, (this.#held.get(contatoId) ?? 0) + 1)
    this.#missing.add({ contatoId, mensagemId: anterior })
  }

  close(): void {
    this.#missing.close()
  }

  async #lookUp(missing: readonly Missing[]): Promise<void> {
    await this.#options.queueBehind([...new Set(missing.map(({ mensagemId }) => mensagemId))])
    for (const { contatoId } of missing) {
      const left = (this.#held.get(contatoId) ?? 1) - 1
      if (left > 0) this.#held.set(contatoId, left)
      else this.#held.delete(contatoId)
    }
    this.#options.resolved([...new Set(missing.map(({ contatoId }) => contatoId))])
  }
}
