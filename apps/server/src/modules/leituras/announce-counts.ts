import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import { Collector } from '#lib/queue/collector.ts'
import { numbersOfPerson, readViewNumbers } from './counts.ts'
import { endReminders } from './reminders.ts'

const EVERY_MS = 1_000
const PEOPLE_KNOWN = 10_000

interface NumbersSource {
  /** Calls back after an event that may change numbers, for a conta with windows on this node. */
  readonly onNumbersChange: (listener: (contaId: string) => void) => void
}

type CountsDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'realtime'>

/**
 * Publishes the numbers of the views to the people with a window on this node, at most once a second, and only changed
 * ones. A conta costs three statements a second for all of its people. A failed round is left out: the next change counts
 * everything again.
 */
export class CountsAnnouncer {
  readonly #deps: CountsDeps
  readonly #source: NumbersSource
  readonly #changes: Collector<string>
  /** By usuario, the numbers that were published last. */
  readonly #published = new LRUCache<string, string>({ max: PEOPLE_KNOWN })

  constructor(deps: CountsDeps, source: NumbersSource) {
    this.#deps = deps
    this.#source = source
    this.#changes = new Collector({
      keyOf: (contaId) => contaId,
      waitMs: EVERY_MS,
      flush: (contas) => this.#announce(contas),
    })
  }

  start(): void {
    this.#source.onNumbersChange((contaId) => this.#changes.add(contaId))
  }

  async stop(): Promise<void> {
    this.#changes.close()
    await this.#changes.idle()
  }

  async #announce(contas: readonly string[]): Promise<void> {
    const { db, clock, log, realtime } = this.#deps
    try {
      const numbers = await db.read(contas, (tx) => readViewNumbers(tx, contas, clock.now()), { oneTrip: true })
      for (const [contaId, counted] of numbers) {
        for (const reader of realtime.peopleHere(contaId)) {
          const contagens = numbersOfPerson(reader, counted)
          const text = JSON.stringify(contagens)
          if (this.#published.get(reader.usuarioId) === text) continue
          this.#published.set(reader.usuarioId, text)
          const person = { contaId, usuarioId: reader.usuarioId, here: true } as const
          realtime.publishPerson(person, 'contagensMudaram', { userId: contaId, ...contagens })
        }
        if (counted.remindersEnded) await endReminders(this.#deps, contaId)
      }
    } catch (error) {
      log.warn({ err: error, contas: contas.length }, 'numbers of the views not published')
    }
  }
}
