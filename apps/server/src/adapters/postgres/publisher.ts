import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { CrashPoints } from '#lib/crash-points.ts'
import { Collector } from '#lib/queue/collector.ts'
import { waitAtMost } from '#lib/time.ts'
import type { BusMetrics } from '#ports/bus.ts'
import type { Clock } from '#ports/clock.ts'
import { type FrameSeal, groupPackets, isLarge, type Packet, sealFrame, sealRow } from './packets.ts'

export const CHANNEL = 'balcao'

export interface PublisherOptions {
  readonly connect: () => Promise<Client>
  readonly node: string
  readonly seal: FrameSeal
  readonly clock?: Clock
  readonly metrics?: BusMetrics
  readonly log: { readonly warn: (data: object, text: string) => void }
  readonly crashPoint?: CrashPoints
  /** Fault tests only: numbers the frames and sends none. */
  readonly muted?: boolean
}

/** After this time the receivers have read the database, so an older packet has no use. */
const TOO_OLD_MS = 1_000
const RETRY_MS = 200
const WAITING_MAX = 20_000
const CLOSE_MS = 1_000

const NOTIFY_SQL = 'select pg_notify($1, payload) from unnest($2::text[]) as payload'
const NOTIFY_WITH_ROWS_SQL = `with stored as (
  insert into recados (id, corpo) select * from unnest($3::uuid[], $4::text[]) on conflict (id) do nothing
) ${NOTIFY_SQL}`

/** Sealed frames of one statement. A retry sends the same ones, so a receiver drops what it has seen. */
interface SealedBatch {
  readonly at: number
  readonly payloads: string[]
  readonly rowIds: string[]
  readonly rows: string[]
}

/** Sends packets in order with few statements: what arrives during a statement leaves with the next one. */
export class Publisher {
  readonly #options: PublisherOptions
  #client: Client | null = null
  readonly #packets = new Collector<Packet>({ flush: (packets) => this.#deliver(this.#sealAll(packets)) })
  #n = 0
  #closed = false

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  position(): number {
    return this.#n
  }

  /** Waits for packets that were published before the start, because they connect too. */
  async connect(): Promise<void> {
    await this.#packets.idle()
    this.#client ??= await this.#options.connect()
  }

  add(packet: Packet): void {
    if (this.#closed) return
    this.#packets.add(packet)
    if (this.#packets.waiting <= WAITING_MAX) return
    // Every receiver notices the skipped number.
    this.#n += 1
    this.#dropped(this.#packets.waiting)
    this.#packets.clear()
  }

  async close(): Promise<void> {
    this.#closed = true
    // A slow delivery may connect after `close` stopped waiting for it.
    const sent = this.#packets.idle().then(() => this.#disconnect())
    await waitAtMost(CLOSE_MS, sent)
    this.#disconnect()
  }

  #sealAll(packets: readonly Packet[]): SealedBatch {
    const { node: sender, seal, clock, metrics } = this.#options
    const at = clock?.now().getTime() ?? null
    const batch: SealedBatch = { at: performance.now(), payloads: [], rowIds: [], rows: [] }
    for (const group of groupPackets(packets)) {
      this.#n += 1
      metrics?.countFrame('enviado')
      if (isLarge(group)) {
        const row = randomUUID()
        batch.rowIds.push(row)
        batch.rows.push(sealRow(group, seal))
        const content = { row, request: group[0]?.request }
        batch.payloads.push(sealFrame({ sender, n: this.#n, at, content }, seal))
      } else batch.payloads.push(sealFrame({ sender, n: this.#n, at, content: group }, seal))
    }
    return batch
  }

  async #deliver(batch: SealedBatch): Promise<void> {
    while (performance.now() - batch.at < TOO_OLD_MS) {
      try {
        return await this.#send(batch)
      } catch (error) {
        this.#options.log.warn({ err: error }, 'packets for other nodes not sent, retrying')
        this.#disconnect()
        if (this.#closed) return
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    this.#dropped(batch.payloads.length)
  }

  async #send(batch: SealedBatch): Promise<void> {
    const { crashPoint, muted } = this.#options
    if (muted === true) return
    crashPoint?.('recado.antes')
    await this.#notify(batch)
    crashPoint?.('recado.depois')
  }

  async #notify({ payloads, rowIds, rows }: SealedBatch): Promise<void> {
    const client = (this.#client ??= await this.#options.connect())
    if (rows.length === 0) return void (await client.query(NOTIFY_SQL, [CHANNEL, payloads]))
    await client.query(NOTIFY_WITH_ROWS_SQL, [CHANNEL, payloads, rowIds, rows])
  }

  #dropped(quantos: number): void {
    this.#options.log.warn({ quantos }, 'packets for other nodes dropped')
  }

  /** Does not wait: the database may be unreachable. */
  #disconnect(): void {
    this.#client?.end().catch(() => undefined)
    this.#client = null
  }
}
