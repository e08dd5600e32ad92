import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import { createGate } from '#lib/queue/gate.ts'
import { ClockJumps } from '#lib/time.ts'
import { type DueKind, type DueList, listDue } from './repository.ts'

const POLL_MS = 1_000
export const OFFLINE_MS = 120_000
/** After an error, this many looks leave the work of the conta out. It must not fill the log. */
const REST_LOOKS = 30
/** Contas whose work runs at once. One conta has one run, so it takes its share and not more. */
const CONTAS_AT_ONCE = 8
const READS_MAX = 20
/** Looks between two seconds while there is more due work than one look reads, as after an outage. */
const EXTRA_LOOKS = 20

/** A clock that moved 10 minutes further than the elapsed time was set. Work by time then waits, at most an hour. */
const JUMP_LIMITS = { aheadMs: 600_000, holdMs: 3_600_000 }
/** The work that an instant decides. `respondeu` also sends due messages. */
const BY_TIME: ReadonlySet<DueKind> = new Set([
  'saiu',
  'resposta',
  'respondeu',
  'agendada',
  'silencio',
  'lembrete',
  'despedida',
  'resumo',
  'carrinho',
])
const NEVER = new Date(0)

type DueHandlers = Readonly<Record<DueKind, (contaId: string) => Promise<unknown>>>

/** The order of one round: people who left give their conversas back before the queue is served. */
const ORDER: readonly DueKind[] = [
  'no',
  'saiu',
  'resposta',
  'fila',
  'despedida',
  'respondeu',
  'agendada',
  'silencio',
  'lembrete',
  'resumo',
  'carrinho',
  'transcricao',
  'fonte',
  // Last, because a silent printer takes 2 s.
  'impressao',
]

interface DueWorkDeps extends Pick<Deps, 'clock'> {
  readonly db: Pick<Deps['db'], 'transaction'>
  readonly log: Pick<Deps['log'], 'error' | 'warn'>
  readonly fleet: Pick<Deps['fleet'], 'self' | 'others'>
}

/**
 * Looks for due timers and signals, with one statement for all contas each second. The nodes take turns. The work of a
 * conta runs beside that of others, a batch of each kind, and then the next look begins. The locks of the handlers decide
 * which node acts, and the work of a dead node needs no takeover.
 */
export class DueWork {
  readonly #deps: DueWorkDeps
  readonly #handlers: DueHandlers
  readonly #ms: number
  readonly #resting: LRUCache<string, true>
  readonly #running = new Map<string, Promise<void>>()
  readonly #gate = createGate({ atOnce: CONTAS_AT_ONCE, waiting: Infinity, full: () => new Error('due work refused') })
  readonly #jumps: ClockJumps
  #held = false
  #task: PeriodicTask | null = null
  #extraLooks = 0
  #stopped = false
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #failed = (error: unknown): void => this.#deps.log.error({ err: error }, 'due timers not read, retrying')

  constructor(deps: DueWorkDeps, handlers: DueHandlers, ms = POLL_MS) {
    this.#deps = deps
    this.#handlers = handlers
    this.#ms = ms
    this.#resting = new LRUCache({ max: 1_000, ttl: REST_LOOKS * ms })
    this.#jumps = new ClockJumps(deps.clock, JUMP_LIMITS)
  }

  start(): void {
    this.#task = every({ ms: this.#ms, task: () => this.#round(), failed: this.#failed })
  }

  /** Looks again after this time, in ms: the next second may be the turn of another node. */
  lookIn(ms: number): void {
    if (this.#stopped) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void this.#look().catch(this.#failed)
    }, ms)
    this.#timers.add(timer.unref())
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#task?.stop()
    await Promise.all(this.#running.values())
  }

  async #round(): Promise<void> {
    if (!this.#isMyTurn()) return
    this.#extraLooks = EXTRA_LOOKS
    await this.#look()
  }

  /** All nodes have the time of the database, and each second belongs to one of them, in the order of their ids. */
  #isMyTurn(): boolean {
    const { clock, fleet } = this.#deps
    const nodes = [fleet.self, ...fleet.others()].toSorted()
    return nodes[Math.floor(clock.now().getTime() / this.#ms) % nodes.length] === fleet.self
  }

  async #look(): Promise<void> {
    const skipped = [...this.#running.keys()]
    for (let reads = 0, full = true; full && reads < READS_MAX; reads += 1) {
      const due = await this.#listDue(skipped)
      for (const [contaId, kinds] of due.contas) {
        skipped.push(contaId)
        this.#start(contaId, kinds, due.full)
      }
      ;({ full } = due)
    }
  }

  #listDue(skipped: readonly string[]): Promise<DueList> {
    const { db, clock } = this.#deps
    const now = this.#isHeld() ? NEVER : clock.now()
    const offlineBefore = new Date(now.getTime() - OFFLINE_MS)
    const resting = [...this.#resting.keys()]
    return db.transaction('*', (tx) => listDue(tx, { now, offlineBefore, resting, skipped }), {
      planner: 'indexes',
      oneTrip: true,
    })
  }

  /** `more`: the conta may have more due work than one batch of each kind. */
  #start(contaId: string, kinds: ReadonlySet<DueKind>, more: boolean): void {
    const run = this.#gate.run(async () => {
      for (const kind of ORDER) if (kinds.has(kind)) await this.#handle(contaId, kind)
    })
    const ended = run.then(() => {
      this.#running.delete(contaId)
      return more ? this.#lookAgain() : undefined
    })
    this.#running.set(contaId, ended)
  }

  async #lookAgain(): Promise<void> {
    if (this.#stopped || this.#extraLooks === 0) return
    this.#extraLooks -= 1
    await this.#look().catch(this.#failed)
  }

  /** True while the time of the clock is doubtful: customers would get the messages of another day. */
  #isHeld(): boolean {
    const held = this.#jumps.held()
    if (held && !this.#held) this.#deps.log.warn('clock set ahead, timed work waits for an hour')
    this.#held = held
    return held
  }

  async #handle(contaId: string, kind: DueKind): Promise<void> {
    // Again, because the clock may have moved since the look.
    if (BY_TIME.has(kind) && this.#isHeld()) return
    try {
      await this.#handlers[kind](contaId)
    } catch (error) {
      this.#resting.set(`${kind} ${contaId}`, true)
      this.#deps.log.error({ err: error, contaId, kind }, 'due work failed, retrying')
    }
  }
}

/** Runs the task for each item, also after an error. Throws the first error at the end. */
export async function runEach<T>(items: readonly T[], task: (item: T) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) {
    try {
      await task(item)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
