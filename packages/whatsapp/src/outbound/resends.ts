import { setTimeout as sleep } from 'node:timers/promises'
import { SendRefused } from '@balcao/connector/errors'
import { serialQueue } from '@balcao/connector/keyed-queue'
import type { SessionHost } from '@balcao/connector/port'
import { LRUCache } from 'lru-cache'
import type { LogFailure } from '#options.ts'

export interface ResendsOptions {
  readonly keys: Pick<SessionHost['keys'], 'read' | 'write'>
  /** Sends our message by WhatsApp's id in new Signal sessions with these devices. Resolves with the server's ack. */
  readonly resend: (id: string, devices: readonly string[]) => Promise<void>
  readonly delays: (attempt: number) => number
  readonly ended: AbortSignal
  /** Time for the library's resend and the phone's confirmation, before our own resend. */
  readonly graceMs: number
  readonly logFailure: LogFailure
}

const RESEND_KEY_TYPE = 'reenvio'
const RESEND_KEY_ID = 'todos'
const MAX_ATTEMPTS = 5
const REMEMBERED = 500

type ResendRequest = `${string}/${string}`

const isResendRequest = (text: string): text is ResendRequest => text.includes('/')
const messageOf = (request: ResendRequest): string => request.slice(0, request.indexOf('/'))
const deviceOf = (request: ResendRequest): string => request.slice(request.indexOf('/') + 1)

/**
 * Messages that a phone could not decrypt and requested again. The library resends them and confirms the request to
 * the server without checking the result. A resend that is refused, lost or encrypted for no device would be lost.
 * Each request is therefore stored until the device confirms the message or our own resend is acknowledged.
 */
export class Resends {
  readonly #options: ResendsOptions
  /** Request to its sequence number. A repeated request gets a new number. */
  readonly #requests = new LRUCache<ResendRequest, number>({ max: REMEMBERED })
  /** Messages whose resend is in progress, with the number of attempts. */
  readonly #inProgress = new Map<string, { attempts: number }>()
  readonly #write = serialQueue()
  #sequence = 0
  #loaded: Promise<void> | undefined
  #closed = false

  constructor(options: ResendsOptions) {
    this.#options = options
  }

  /** Stores the request of a device. Must resolve before the library handles it. */
  async requested(id: string, device: string): Promise<void> {
    await this.#load()
    this.#record(`${id}/${device}`)
    await this.#store()
    void sleep(this.#options.graceMs, undefined, { ref: false }).then(() => this.#resend(id))
  }

  delivered(id: string, device: string): void {
    this.#complete([`${id}/${device}`])
  }

  /** The server refused a message that no sender waits for. */
  refused(id: string): void {
    void this.#resend(id)
  }

  /** Resends what an earlier process or connection left. */
  resume(): void {
    const { delays, ended, logFailure } = this.#options
    this.#load()
      .then(() => Promise.all([...new Set([...this.#requests.keys()].map(messageOf))].map((id) => this.#resend(id))))
      .catch(async (error: unknown) => {
        logFailure(error, 'resend requests not read, retrying')
        await sleep(delays(0), undefined, { ref: false })
        if (!ended.aborted) this.resume()
      })
  }

  /** Refuses further writes. Resolves when those in progress have finished. */
  close(): Promise<void> {
    this.#closed = true
    return this.#write(() => Promise.resolve())
  }

  #record(request: ResendRequest): void {
    this.#sequence += 1
    this.#requests.set(request, this.#sequence)
  }

  /**
   * Must run before the first write: the record is one list, and a write would replace the requests of an earlier
   * process.
   */
  #load(): Promise<void> {
    return (this.#loaded ??= this.#read().catch((error: unknown) => {
      this.#loaded = undefined
      throw error
    }))
  }

  async #read(): Promise<void> {
    const stored = (await this.#options.keys.read(RESEND_KEY_TYPE, [RESEND_KEY_ID])).get(RESEND_KEY_ID)
    for (const request of stored?.split(' ') ?? []) {
      if (isResendRequest(request)) this.#record(request)
    }
  }

  async #store(): Promise<void> {
    // The next session owns the record.
    if (this.#closed) throw new Error('session closed')
    await this.#write(() => {
      const valor = this.#requests.size === 0 ? null : [...this.#requests.rkeys()].join(' ')
      return this.#options.keys.write([{ tipo: RESEND_KEY_TYPE, id: RESEND_KEY_ID, valor }], [])
    })
  }

  #requestsOf(id: string): ResendRequest[] {
    return [...this.#requests.keys()].filter((request) => messageOf(request) === id)
  }

  #complete(requests: readonly ResendRequest[]): void {
    const known = requests.filter((request) => this.#requests.delete(request))
    if (known.length === 0 || this.#closed) return
    this.#store().catch((error: unknown) => this.#options.logFailure(error, 'resend request not deleted'))
  }

  async #resend(id: string): Promise<void> {
    const running = this.#inProgress.get(id)
    if (running !== undefined) return void (running.attempts = 0)
    const run = { attempts: 0 }
    this.#inProgress.set(id, run)
    const { delays, ended } = this.#options
    while (run.attempts < MAX_ATTEMPTS && this.#requestsOf(id).length > 0 && !ended.aborted) {
      await sleep(delays(run.attempts), undefined, { ref: false })
      run.attempts += 1
      const answered = this.#requestsOf(id)
      if (answered.length === 0) break
      await this.#attempt(id, answered)
    }
    this.#inProgress.delete(id)
  }

  async #attempt(id: string, requests: readonly ResendRequest[]): Promise<void> {
    const numbered = requests.map((request) => ({ request, sequence: this.#requests.peek(request) }))
    const done = await this.#options.resend(id, requests.map(deviceOf)).then(
      () => true,
      (error: unknown) => error instanceof SendRefused,
    )
    if (!done) return
    // A request that was repeated during the send stays, because that device could not decrypt this copy either.
    const answered = numbered.filter(({ request, sequence }) => this.#requests.peek(request) === sequence)
    this.#complete(answered.map(({ request }) => request))
  }
}
