import type { Client } from 'pg'
import { type Frame, type FrameSeal, openFrame, openRow, type Packet } from './packets.ts'
import type { BusMetrics } from '#ports/bus.ts'
import type { Clock } from '#ports/clock.ts'
import { CHANNEL } from './publisher.ts'

export interface ListenerOptions {
  readonly connect: () => Promise<Client>
  readonly node: string
  readonly seal: FrameSeal
  readonly clock?: Clock
  readonly metrics?: BusMetrics
  readonly log: { readonly warn: (data: object, text: string) => void }
  readonly received: (packet: Packet) => void
  readonly gap: () => void
}

const RETRY_MS = 200
/** A line without notifications is probed, because a dead network reports no error. */
const SILENCE_MS = 5_000
/** Senders that this node remembers. A fleet has some dozens; ended processes leave. */
const SENDERS_MAX = 1_000

export class Listener {
  readonly #options: ListenerOptions
  readonly #seen = new Map<string, number>()
  readonly #lastAt = new Map<string, Date>()
  #sentBefore: ReadonlyMap<string, number> = new Map()
  #client: Client | null = null
  #heardAt = 0
  #timer: NodeJS.Timeout | undefined
  /** Frames are handled in their order, also while a row is read. */
  #waiting: string[] = []
  #handling = false
  #closed = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  connected(): boolean {
    return this.#client !== null
  }

  compare(others: readonly { readonly id: string; readonly recado: number }[]): void {
    const before = this.#sentBefore
    this.#sentBefore = new Map(others.map(({ id, recado }) => [id, recado]))
    let missing = false
    for (const [id, n] of before) {
      if (!this.#sentBefore.has(id)) continue
      const last = this.#seen.get(id)
      missing ||= last !== undefined && last < n
      // Not the newer number: its frame may still be on its way and would count as a repeated one.
      if (last === undefined || last < n) this.#remember(id, n)
    }
    if (missing) this.#options.gap()
  }

  async connect(): Promise<void> {
    const client = await this.#options.connect()
    client.on('notification', ({ payload = '' }) => this.#received(payload))
    client.once('end', () => this.#broken(client))
    try {
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
    if (this.#closed) return void client.end().catch(() => undefined)
    this.#client = client
    this.#heardAt = performance.now()
    this.#timer = setTimeout(() => void this.#probe(client), SILENCE_MS).unref()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#client?.end().catch(() => undefined)
    this.#client = null
  }

  #broken(client: Client): void {
    if (this.#client !== client || this.#closed) return
    this.#client = null
    clearTimeout(this.#timer)
    // The gap is reported after the new connection.
    this.#seen.clear()
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    while (!this.#closed) {
      try {
        await this.connect()
        return this.#closed ? undefined : this.#options.gap()
      } catch (error) {
        this.#options.log.warn({ err: error }, 'line to the other nodes broken, connecting again')
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  async #probe(client: Client): Promise<void> {
    const silence = performance.now() - this.#heardAt
    if (silence >= SILENCE_MS) {
      const answered = await client.query('select 1').then(
        () => true,
        () => false,
      )
      if (!answered) {
        client.end().catch(() => undefined)
        return this.#broken(client)
      }
      this.#heardAt = performance.now()
    }
    if (this.#client === client) this.#timer = setTimeout(() => void this.#probe(client), SILENCE_MS).unref()
  }

  #received(payload: string): void {
    this.#heardAt = performance.now()
    this.#waiting.push(payload)
    if (!this.#handling) void this.#handleAll()
  }

  async #handleAll(): Promise<void> {
    this.#handling = true
    for (let payload = this.#waiting.shift(); payload !== undefined; payload = this.#waiting.shift()) {
      try {
        await this.#handle(payload)
      } catch (error) {
        this.#options.log.warn({ err: error }, 'packet of another node not handled')
        this.#options.gap()
      }
    }
    this.#handling = false
  }

  async #handle(payload: string): Promise<void> {
    const { node, received, gap } = this.#options
    const frame = this.#open(payload)
    if (frame === null) return
    const { sender, n, content } = frame
    // The first frame of a sender is never a gap: a node that joins asks for what it needs.
    const last = this.#seen.get(sender) ?? n - 1
    if (sender === node || n <= last) return
    this.#remember(sender, n)
    this.#measure(frame)
    const packets = 'row' in content ? await this.#readRow(content) : content
    if (n > last + 1 || packets === null) gap()
    for (const packet of packets ?? []) received(packet)
  }

  #measure({ sender, at }: Frame): void {
    const { clock, metrics } = this.#options
    const now = clock?.now() ?? new Date()
    metrics?.countFrame('recebido')
    // The clocks of two nodes differ by some milliseconds.
    if (at !== null) metrics?.observeFrame(Math.max(0, now.getTime() - at) / 1_000)
    this.#lastAt.set(sender, now)
  }

  lastFrom(sender: string): Date | null {
    return this.#seen.has(sender) ? (this.#lastAt.get(sender) ?? null) : null
  }

  /** Null for a frame of another version or secret. It is no gap: its answer would be unreadable there, without end. */
  #open(payload: string): Frame | null {
    try {
      return openFrame(payload, this.#options.seal)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'packet of another node not readable')
      return null
    }
  }

  #remember(sender: string, n: number): void {
    this.#seen.set(sender, n)
    const [oldest] = this.#seen.keys()
    if (this.#seen.size <= SENDERS_MAX || oldest === undefined) return
    this.#seen.delete(oldest)
    this.#lastAt.delete(oldest)
  }

  async #readRow(content: { readonly row: string; readonly request: string | undefined }): Promise<Packet[] | null> {
    const found = await this.#client?.query<{ corpo: string }>('select corpo from recados where id = $1', [content.row])
    const [row] = found?.rows ?? []
    return row === undefined ? null : openRow(row.corpo, this.#options.seal, content.request)
  }
}
