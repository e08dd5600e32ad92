import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import { type DueKind, listDue } from './repository.ts'

const POLL_MS = 1_000
/** Nodes share the looks: with several, each looks every so many seconds, at most this many. */
const LOOK_EVERY_MAX = 4
/** A person without a window for this long is offline. */
export const OFFLINE_MS = 120_000
/** After an error, this many looks leave the work of the conta out. It must not fill the log or delay other contas. */
const REST_LOOKS = 30
/** Looks in a row while there is more due work than one look reads, as after an outage. */
const PASSES_MAX = 20

/** Does the due work of one conta. Another node may do the same work at the same time. */
type DueHandlers = Readonly<Record<DueKind, (contaId: string) => Promise<unknown>>>

/** The order of one round: people who left give their conversas back before the queue is served. */
const ORDER: readonly DueKind[] = ['no', 'saiu', 'resposta', 'fila', 'respondeu', 'agendada', 'silencio']

/**
 * Looks for due timers and signals, with one statement for all contas: each second alone, every 2 to 4 s with other
 * nodes. The locks of the handlers decide which node acts, and the work of a dead node needs no takeover.
 */
export class DueWork {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log' | 'fleet'>
  readonly #handlers: DueHandlers
  readonly #ms: number
  readonly #resting: LRUCache<string, true>
  #task: PeriodicTask | null = null
  #seconds = 0

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'fleet'>, handlers: DueHandlers, ms = POLL_MS) {
    this.#deps = deps
    this.#handlers = handlers
    this.#ms = ms
    this.#resting = new LRUCache({ max: 1_000, ttl: REST_LOOKS * ms })
  }

  start(): void {
    const failed = (error: unknown): void => this.#deps.log.error({ err: error }, 'due timers not read, retrying')
    this.#task = every({ ms: this.#ms, task: () => this.#round(), failed })
  }

  async stop(): Promise<void> {
    await this.#task?.stop()
  }

  async #round(): Promise<void> {
    const { db, clock, fleet } = this.#deps
    this.#seconds += 1
    if (this.#seconds % Math.min(LOOK_EVERY_MAX, 1 + fleet.others().length) !== 0) return
    for (let pass = 0, more = true; more && pass < PASSES_MAX; pass += 1) {
      const now = clock.now()
      const offlineBefore = new Date(now.getTime() - OFFLINE_MS)
      const resting = [...this.#resting.keys()]
      const due = await db.once('*', (tx) => listDue(tx, { now, offlineBefore, resting }), 'indices')
      for (const [contaId, kinds] of due.contas) {
        for (const kind of ORDER) if (kinds.has(kind)) await this.#handle(contaId, kind)
      }
      more = due.full
    }
  }

  async #handle(contaId: string, kind: DueKind): Promise<void> {
    try {
      await this.#handlers[kind](contaId)
    } catch (error) {
      this.#resting.set(`${kind} ${contaId}`, true)
      this.#deps.log.error({ err: error, contaId, kind }, 'due work failed, retrying')
    }
  }
}
