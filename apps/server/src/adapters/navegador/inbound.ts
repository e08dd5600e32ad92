import { ConstantBackoff, handleWhen, retry } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { keyedQueue } from '@balcao/connector/keyed-queue'
import type { InboundMessage, MessageChange, SessionHost } from '@balcao/connector/port'
import { retryUntilClosed } from '@balcao/connector/retry'
import { createStoreMedia } from '@balcao/connector/store-media'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { parseWebContent, parseWebQuote } from './content.ts'
import { classifyOpenFailure, withTimeout } from './failures.ts'
import type { OwnMessages } from './own-messages.ts'
import {
  chatIdOf,
  type Downloadable,
  type FindPerson,
  fromWebAddress,
  isDownloadable,
  isPerson,
  webFileSchema,
  type WebKey,
  webKeyId,
  type WebMessage,
  webMessageSchema,
  type WebPerson,
} from './shapes.ts'

export interface WebChange extends Pick<MessageChange, 'deMim' | 'mudanca'> {
  readonly key: WebKey
  readonly chatId: string
}

export interface WebInboundOptions {
  readonly host: Pick<SessionHost, 'receive' | 'change' | 'storeMedia'>
  readonly ownMessages: OwnMessages
  readonly report: (error: unknown, event: string) => void
  readonly fetchMessage: (idWeb: string) => Promise<unknown>
}

const WAIT_MS = 2_000
const DOWNLOAD_MS = 60_000
/** Attempts over a browser restart; after the last one the message is stored without its file. */
const DOWNLOAD_ATTEMPTS = 30
const MAX_BYTES = 5 * 1024 * 1024
const MAX_SEEN = 5_000

/**
 * Delivers messages of the page to the bot: each once, in order per person, with retries until the bot has stored
 * it.
 */
export class WebInbound {
  readonly #options: WebInboundOptions
  readonly #storeMedia: SessionHost['storeMedia']
  /** A file takes time, and later messages of the same person must wait for it. */
  readonly #inTurn = keyedQueue()
  readonly #seen = new LRUCache<string, true>({ maxSize: MAX_SEEN, sizeCalculation: () => 1 })
  readonly #pending = new Map<string, number>()
  readonly #session = new AbortController()
  readonly #retry: (step: () => Promise<void>) => Promise<void>
  readonly #downloads = retry(
    handleWhen((error) => classifyOpenFailure(error).motivo === 'navegadorCaiu'),
    { maxAttempts: DOWNLOAD_ATTEMPTS - 1, backoff: new ConstantBackoff(WAIT_MS) },
  ).dangerouslyUnref()
  #latest: number | null = null

  constructor(options: WebInboundOptions) {
    const { host, report } = options
    this.#options = options
    this.#storeMedia = createStoreMedia(host, report)
    this.#retry = retryUntilClosed({
      closed: this.#session.signal,
      waitMs: WAIT_MS,
      onRetry: (error) => report(error, 'message not delivered, retrying'),
    })
  }

  /** `recovered`: found in the page after a reconnect, not received live. */
  arrived(raw: unknown, findPerson: FindPerson, { recovered } = { recovered: false }): void {
    const { data: message } = webMessageSchema.safeParse(raw)
    if (this.#isClosed() || message === undefined || message.isStatus || message.broadcast) return
    const idWeb = webKeyId(message.id)
    if (!isPerson(chatIdOf(message)) || message.from === message.to || this.#seen.has(idWeb)) return
    this.#seen.set(idWeb, true)
    this.#pending.set(idWeb, message.timestamp)
    void this.#inTurn(chatIdOf(message), async () => {
      if (!(await this.#untilStored(() => this.#receive(raw, message, { findPerson, recovered })))) return
      this.#pending.delete(idWeb)
      this.#latest = Math.max(this.#latest ?? 0, message.timestamp)
    })
  }

  changed({ key, chatId, deMim, mudanca }: WebChange, findPerson: FindPerson): void {
    if (this.#isClosed() || !isPerson(chatId)) return
    void this.#inTurn(chatId, () =>
      this.#untilStored(async () => {
        const alvo = await this.#targetOf(key)
        await this.#options.host.change({ ...(await findPerson(chatId)), alvo, deMim, mudanca })
      }),
    )
  }

  /** Everything up to this second was received; null before the first message. */
  receivedUntil(): number | null {
    return this.#pending.size > 0 ? Math.min(...this.#pending.values()) - 1 : this.#latest
  }

  close(): void {
    this.#session.abort()
  }

  #isClosed(): boolean {
    return this.#session.signal.aborted
  }

  /** Retries until the step succeeds. Resolves with false when the session closed before. */
  #untilStored(step: () => Promise<void>): Promise<boolean> {
    return this.#retry(step).then(
      () => true,
      () => false,
    )
  }

  async #receive(
    raw: unknown,
    message: WebMessage,
    { findPerson, recovered }: { readonly findPerson: FindPerson; readonly recovered: boolean },
  ): Promise<void> {
    const { host, ownMessages } = this.#options
    if (message.id.fromMe) {
      await ownMessages.allKnown()
      if ((await ownMessages.idExternoOf(message)) !== null) return
      // Old browser message without a match in ours. It does not prove that the owner serves this customer now.
      if (recovered && message.id.id.startsWith('3EB0')) return
    }
    const received = await this.#read(raw, message, findPerson)
    if (received !== null && !this.#isClosed()) await host.receive(received)
  }

  async #read(raw: unknown, message: WebMessage, findPerson: FindPerson): Promise<InboundMessage | null> {
    const content = parseWebContent(message)
    if (content === null) return null
    const person = await findPerson(chatIdOf(message))
    const midia = content.midia === undefined ? undefined : await this.#storeFile(raw, message, content.midia)
    const deMim = message.id.fromMe
    return {
      ...person,
      id: webKeyId(message.id),
      nome: deMim ? '' : (message._data?.notifyName ?? ''),
      texto: content.texto,
      ...(midia === undefined ? {} : { midia }),
      ...quotedOf(message, person),
      deMim,
      enviadaEm: new Date(message.timestamp * 1_000),
    }
  }

  async #storeFile(raw: unknown, { hasMedia, id }: WebMessage, midia: Midia): Promise<Midia> {
    if (!hasMedia || !isDownloadable(raw) || (midia.tamanhoBytes ?? 0) > MAX_BYTES) return midia
    try {
      const { data, filename } = webFileSchema.parse(await this.#download(raw, webKeyId(id)))
      const bytes = Buffer.from(data, 'base64')
      if (bytes.length > MAX_BYTES) return midia
      return await this.#storeMedia(bytes, filename ?? '')
    } catch (error) {
      this.#options.report(error, 'media not stored')
      return midia
    }
  }

  #download(first: Downloadable, idWeb: string): Promise<unknown> {
    let message = first
    return this.#downloads.execute(async ({ attempt }) => {
      if (attempt > 0) {
        const found = await this.#options.fetchMessage(idWeb).catch(() => null)
        if (isDownloadable(found)) message = found
      }
      return withTimeout(message.downloadMedia(), DOWNLOAD_MS)
    }, this.#session.signal)
  }

  async #targetOf(key: WebKey): Promise<string> {
    const idWeb = webKeyId(key)
    if (!key.fromMe) return idWeb
    const { ownMessages, fetchMessage } = this.#options
    const { data: message } = webMessageSchema.safeParse(await fetchMessage(idWeb))
    return (message === undefined ? null : await ownMessages.idExternoOf(message)) ?? idWeb
  }
}

function quotedOf(message: WebMessage, { endereco, outrosEnderecos }: WebPerson): Pick<InboundMessage, 'citada'> {
  const quoted = parseWebQuote(message)
  if (quoted === null) return {}
  return { citada: { texto: quoted.texto, nossa: ![endereco, ...outrosEnderecos].includes(fromWebAddress(quoted.de)) } }
}
