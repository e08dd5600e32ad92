import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { SendDeferred } from './errors.ts'
import type { OutboundMessage } from './port.ts'

export interface PacerOptions {
  /** Shortest and longest pause between two messages of a session, in ms. */
  readonly pauseMs?: readonly [number, number]
  /** Messages to one person within a minute. */
  readonly perMinute?: number
  /** A message with a longer wait is deferred, in ms. */
  readonly patienceMs?: number
  readonly now?: () => number
  readonly random?: () => number
}

type PacedMessage = Pick<OutboundMessage, 'idExterno' | 'endereco'>

const MINUTE_MS = 60_000
/** Slots older than this belong to cancelled messages. */
const ABANDONED_MS = 10 * MINUTE_MS
const REMEMBERED = 10_000

/**
 * Paces messages like a person: a random pause between two messages, and a limit per person and minute. WhatsApp bans
 * numbers that send in bursts or at regular intervals.
 */
export class Pacer {
  readonly #pauseMs: readonly [number, number]
  readonly #perMinute: number
  readonly #patienceMs: number
  readonly #now: () => number
  readonly #random: () => number
  /** Slot of each waiting message, by its id. */
  readonly #slots: LRUCache<string, number>
  readonly #sent: LRUCache<string, readonly number[]>
  #freeAt = -Infinity

  constructor({ pauseMs, perMinute, patienceMs, now, random }: PacerOptions = {}) {
    this.#pauseMs = pauseMs ?? [500, 2_000]
    this.#perMinute = perMinute ?? 20
    this.#patienceMs = patienceMs ?? 3_000
    this.#now = now ?? (() => performance.now())
    this.#random = random ?? Math.random
    // A session has its own caches. `max` would allocate 430 KB for each in advance, `maxSize` grows with the entries.
    const limits = { maxSize: REMEMBERED, sizeCalculation: () => 1, perf: { now: this.#now }, ttlResolution: 0 }
    this.#slots = new LRUCache(limits)
    this.#sent = new LRUCache(limits)
  }

  /**
   * Milliseconds until the message may be sent; 0 means now. A waiting message keeps its slot under its id and asks
   * again. Over the limit of a person, a message gets no slot and only asks again later.
   */
  waitMs({ idExterno, endereco }: PacedMessage): number {
    const now = this.#now()
    const kept = this.#slots.get(idExterno)
    const { slot, overLimit } = kept === undefined ? this.#reserve(endereco, now) : { slot: kept, overLimit: false }
    if (slot > now && !overLimit) this.#slots.set(idExterno, slot, { ttl: slot - now + ABANDONED_MS })
    else this.#slots.delete(idExterno)
    return Math.max(0, Math.ceil(slot - now))
  }

  /** Waits for the slot of the message, at most the patience. Throws `SendDeferred` for a longer wait. Returns early when `closed` aborts. */
  async waitForTurn(message: PacedMessage, closed: AbortSignal): Promise<void> {
    for (let wait = this.waitMs(message); wait > 0 && !closed.aborted; wait = this.waitMs(message)) {
      if (wait > this.#patienceMs) throw new SendDeferred('as mensagens saem no ritmo de uma pessoa', wait)
      await sleep(wait, undefined, { ref: false, signal: closed }).catch(() => undefined)
    }
  }

  #reserve(address: string, now: number): { readonly slot: number; readonly overLimit: boolean } {
    const recent = (this.#sent.get(address) ?? []).filter((slot) => slot > now - MINUTE_MS)
    const [first = now] = recent.slice(-this.#perMinute)
    if (recent.length >= this.#perMinute) return { slot: first + MINUTE_MS + this.#pause(), overLimit: true }
    const slot = Math.max(now, this.#freeAt)
    this.#freeAt = slot + this.#pause()
    this.#sent.set(address, [...recent, slot], { ttl: slot - now + MINUTE_MS })
    return { slot, overLimit: false }
  }

  #pause(): number {
    const [shortest, longest] = this.#pauseMs
    return shortest + this.#random() * (longest - shortest)
  }
}
