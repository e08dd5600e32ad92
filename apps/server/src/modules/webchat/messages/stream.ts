import { Readable } from 'node:stream'
import type { Deps } from '#deps.ts'
import type { ChatReader } from '#ports/webchat/chat.ts'
import { type ChatEvent, EVENTS_PAGE, findLastEvent, listEvents } from './events.ts'
import { listValidVisitors } from '../repository.ts'
import { markDelivered, parseCursor, toStateEvent, toChatMensagem } from './read.ts'
import type { ChatVisit } from '../visit.ts'

type StreamDeps = Pick<Deps, 'db' | 'log' | 'clock' | 'webchat' | 'fileLinks'>

/** Proxies end a silent connection after 30 to 60 s. */
const ALIVE_MS = 20_000
/** A reader that is further behind loses the connection and resumes with its last event. */
const UNREAD_MAX_BYTES = 262_144
const BEGIN = 'retry: 2000\n\n'
const ALIVE = ': \n\n'

/** The open streams of this node. */
export class ChatStreams {
  readonly #deps: StreamDeps
  readonly #open = new Set<ChatStream>()
  #timer: NodeJS.Timeout | null = null

  constructor(deps: StreamDeps) {
    this.#deps = deps
  }

  /** Continues after an event, or begins with the next one. Throws `dadosInvalidos`. */
  async open(visit: ChatVisit, lastEvent: string | undefined, closed: () => void): Promise<Readable> {
    const { contaId, endereco } = visit
    const after =
      lastEvent === undefined
        ? ((await this.#deps.db.read(contaId, (tx) => findLastEvent(tx, { contaId, endereco }))) ?? 0)
        : parseCursor(lastEvent)
    const stream = new ChatStream(this.#deps, visit, after, () => {
      this.#open.delete(stream)
      closed()
    })
    this.#open.add(stream)
    this.#timer ??= setInterval(() => void this.#keepAlive(), ALIVE_MS).unref()
    return stream
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    for (const stream of this.#open) stream.end()
  }

  /** Also ends the streams of visitors who were erased or expired, and of lines that were switched off. */
  async #keepAlive(): Promise<void> {
    const open = [...this.#open]
    if (open.length === 0) return
    try {
      const ids = open.map(({ visit }) => visit.visitanteId)
      const contas = open.map(({ visit }) => visit.contaId)
      const now = this.#deps.clock.now()
      const valid = await this.#deps.db.read([...new Set(contas)], (tx) => listValidVisitors(tx, { ids, contas, now }))
      const validIds = new Set(valid.map(({ id }) => id))
      for (const stream of open) {
        if (validIds.has(stream.visit.visitanteId)) stream.alive()
        else stream.end()
      }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'visitors of open streams not checked')
      for (const stream of open) stream.alive()
    }
  }
}

/** An open stream of a visitor. A wake-up during a read causes another read. */
class ChatStream extends Readable implements ChatReader {
  readonly visit: ChatVisit
  readonly #deps: StreamDeps
  readonly #unsubscribe: () => void
  readonly #closed: () => void
  #after: number
  #typed = 0
  #reading = false
  #again = false
  #ended = false

  constructor(deps: StreamDeps, visit: ChatVisit, after: number, closed: () => void) {
    super({ highWaterMark: 0 })
    this.visit = visit
    this.#deps = deps
    this.#after = after
    this.#closed = closed
    this.#unsubscribe = deps.webchat.feed.subscribe(visit, this)
    this.push(BEGIN)
    this.wake()
  }

  override _read(): void {
    // Events are pushed when they arrive.
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#unsubscribe()
    this.#closed()
    done(error)
  }

  alive(): void {
    this.#write(ALIVE)
  }

  end(): void {
    if (this.destroyed || this.#ended) return
    this.#ended = true
    this.push(null)
  }

  typing(): void {
    this.#typed += 1
    this.#write(eventText(`${this.#after}.${this.#typed}`, 'digitando', '{}'))
  }

  wake(): void {
    this.#again = true
    if (this.#reading) return
    this.#reading = true
    this.#readAll().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'events of a chat not read, stream closed')
      this.destroy()
    })
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#again && !this.destroyed) {
        this.#again = false
        await this.#readPage()
      }
    } finally {
      this.#reading = false
    }
  }

  async #readPage(): Promise<void> {
    const { contaId, endereco } = this.visit
    const values = { contaId, endereco, after: this.#after, only: null }
    const events = await this.#deps.db.read(contaId, (tx) => listEvents(tx, values))
    if (this.destroyed || this.#ended) return
    this.#again ||= events.length === EVENTS_PAGE
    this.#after = events.at(-1)?.ordem ?? this.#after
    for (const event of events) this.#write(this.#textOf(event))
    markDelivered(this.#deps, this.visit, events)
  }

  #textOf(event: ChatEvent): string {
    const id = String(event.ordem)
    if (event.tipo !== 'mensagem') return eventText(id, 'estado', JSON.stringify(toStateEvent(event)))
    return eventText(id, 'mensagem', JSON.stringify(toChatMensagem(this.#deps, this.visit, event)))
  }

  #write(text: string): void {
    if (this.destroyed || this.#ended) return
    this.push(text)
    if (this.readableLength > UNREAD_MAX_BYTES) this.destroy()
  }
}

function eventText(id: string, event: string, data: string): string {
  return `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`
}
