import type { ChatEstado, ChatMensagem } from '@balcao/contract/entities/webchat'
import { type ChatApi, Refused } from './api.ts'
import type { Site } from './site.ts'

export type ConnectionState = 'idle' | 'online' | 'offline'

export interface ConversationListener {
  readonly shown: (mensagem: ChatMensagem) => void
  readonly state: (estado: ChatEstado) => void
  /** Waits for the server. */
  readonly pending: (id: string, texto: string) => void
  readonly failed: (id: string, reason: string) => void
  readonly removed: (id: string) => void
  readonly typing: () => void
  readonly connection: (state: ConnectionState) => void
  /** The line is off. */
  readonly gone: () => void
}

const PENDING = 'p:'
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000]
/** Where an address has too many streams, the frame asks for messages instead. */
const POLL_MS = 10_000
const TYPING_MS = 3_000
const READ_MS = 300
/** Messages of one answer of the server. */
const PAGE = 100

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The conversation of one visitor: token, unsent messages and the stream. The site stores what a reload must keep. */
export class Conversation {
  readonly #api: ChatApi
  readonly #site: Site
  readonly #listener: ConversationListener
  #last: string | null = null
  #following = false
  #stream: AbortController | null = null
  #sending = false
  #typedAt = 0
  #reading = 0
  #creating: Promise<string> | null = null

  constructor(api: ChatApi, site: Site, listener: ConversationListener) {
    this.#api = api
    this.#site = site
    this.#listener = listener
    // A token belongs to the identity that the site gave with it.
    if ((site.stored.get('dono') ?? '') !== (site.identidade?.id ?? '')) this.#forget()
    site.onChange((name, value) => {
      if (name !== 'token') return
      this.#last = null
      this.#stream?.abort()
      if (value !== null) void this.follow()
    })
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.#stream?.abort()
      else void this.follow()
    })
    addEventListener('online', () => void this.#flush())
  }

  get token(): string | null {
    return this.#site.stored.get('token') ?? null
  }

  /** A visitor without a message has no token, unless the site proved who it is. */
  get #isKnown(): boolean {
    return this.token !== null || this.#site.identidade !== undefined
  }

  /** Shows the history and continues. A proved customer has one on every device. */
  start(): void {
    for (const [name, texto] of this.#site.stored) {
      if (name.startsWith(PENDING)) this.#listener.pending(name.slice(PENDING.length), texto)
    }
    void this.follow()
    void this.#flush()
  }

  send(texto: string, nome: string): void {
    const id = crypto.randomUUID()
    if (nome !== '') this.#site.set('nome', nome)
    this.#site.set(PENDING + id, texto)
    this.#listener.pending(id, texto)
    void this.#flush()
  }

  async sendFile(file: File): Promise<void> {
    const id = crypto.randomUUID()
    this.#listener.pending(id, file.name)
    try {
      await this.#api.sendFile(await this.#visitor(), id, file)
      void this.follow()
    } catch (error) {
      this.#listener.failed(
        id,
        error instanceof Refused ? error.message : 'O arquivo não foi enviado. Confira a conexão.',
      )
    }
  }

  retry(): void {
    void this.#flush()
  }

  discard(id: string): void {
    this.#site.set(PENDING + id, null)
    this.#listener.removed(id)
  }

  typing(): void {
    const { token } = this
    if (token === null || Date.now() - this.#typedAt < TYPING_MS) return
    this.#typedAt = Date.now()
    this.#api.typing(token).catch(() => undefined)
  }

  /** Messages that arrive together are marked with one request. */
  read(ate: string): void {
    clearTimeout(this.#reading)
    this.#reading = window.setTimeout(() => {
      if (this.token !== null) this.#api.read(this.token, ate).catch(() => undefined)
    }, READ_MS)
  }

  async erase(): Promise<void> {
    if (this.token !== null) await this.#api.erase(this.token)
    for (const name of this.#site.stored.keys()) if (name.startsWith(PENDING)) this.#site.set(name, null)
    this.#forget()
    this.#site.set('nome', null)
  }

  /** Reads the messages and then the stream, until the page is hidden. One at a time. */
  async follow(): Promise<void> {
    if (this.#following || document.hidden) return
    this.#following = true
    for (let failures = 0; !document.hidden && this.#isKnown;) {
      try {
        const token = await this.#visitor()
        await this.#catchUp(token)
        this.#listener.connection('online')
        failures = 0
        await this.#listen(token)
      } catch (error) {
        if (document.hidden || !this.#mayRetry(error)) break
        await this.#pause(error, failures)
        failures += 1
      }
    }
    this.#following = false
  }

  async #pause(error: unknown, failures: number): Promise<void> {
    const replaced = this.#stream?.signal.aborted === true
    this.#stream = null
    // Another tab has another token.
    if (replaced) return
    const limited = error instanceof Refused && error.status === 429
    if (!limited) this.#listener.connection('offline')
    await sleep(limited ? POLL_MS : (RETRY_MS[failures] ?? 30_000))
  }

  #mayRetry(error: unknown): boolean {
    if (!(error instanceof Refused)) return true
    if (error.status === 404) this.#listener.gone()
    if (error.status !== 401) return error.status === 429 || error.status >= 500
    this.#forget()
    return this.#site.identidade !== undefined
  }

  async #catchUp(token: string): Promise<void> {
    for (;;) {
      const { mensagens, proximoCursor } = await this.#api.list(token, this.#last)
      for (const mensagem of mensagens) this.#arrived(mensagem)
      this.#last = proximoCursor ?? this.#last
      if (mensagens.length < PAGE) return
    }
  }

  async #listen(token: string): Promise<void> {
    const { signal } = (this.#stream = new AbortController())
    await this.#api.stream({
      ...{ token, signal, last: this.#last },
      received: ({ id, event, data }) => {
        this.#last = id
        if (event === 'mensagem') this.#arrived(JSON.parse(data))
        else if (event === 'estado') this.#listener.state(JSON.parse(data))
        else this.#listener.typing()
      },
    })
  }

  #arrived(mensagem: ChatMensagem): void {
    if (this.#site.stored.has(PENDING + mensagem.id)) this.#site.set(PENDING + mensagem.id, null)
    this.#listener.shown(mensagem)
  }

  /** The token, created with the first message. */
  #visitor(): Promise<string> {
    const { token } = this
    if (token !== null) return Promise.resolve(token)
    this.#creating ??= this.#create().finally(() => {
      this.#creating = null
    })
    return this.#creating
  }

  async #create(): Promise<string> {
    const { identidade, pagina, stored } = this.#site
    const nome = stored.get('nome') ?? ''
    const { token } = await this.#api.createVisitor({
      pagina,
      ...(nome === '' ? {} : { nome }),
      ...(identidade === undefined ? {} : { identidade }),
    })
    this.#site.set('token', token)
    this.#site.set('dono', identidade?.id ?? '')
    return token
  }

  #forget(): void {
    this.#last = null
    this.#site.set('token', null)
    this.#site.set('dono', null)
  }

  /** Sends the waiting messages in their order. A repeated id is the same message, also from another tab. */
  async #flush(): Promise<void> {
    if (this.#sending) return
    this.#sending = true
    for (let failures = 0; ;) {
      const [next] = [...this.#site.stored].filter(([name]) => name.startsWith(PENDING))
      if (next === undefined) break
      const [id, texto] = [next[0].slice(PENDING.length), next[1]]
      try {
        await this.#api.send(await this.#visitor(), { id, texto })
        this.#site.set(PENDING + id, null)
        this.#listener.state({ id, estado: 'enviada' })
        failures = 0
        void this.follow()
      } catch (error) {
        if (error instanceof Refused && !this.#retries(error)) {
          this.#site.set(PENDING + id, null)
          this.#listener.failed(id, error.message)
          continue
        }
        if (!(error instanceof Refused)) this.#listener.connection('offline')
        await sleep(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 30_000)
        failures += 1
      }
    }
    this.#sending = false
  }

  #retries({ status }: Refused): boolean {
    if (status === 401) this.#forget()
    return status === 401 || status === 429 || status >= 500
  }
}
