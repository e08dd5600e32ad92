import { SendFailed } from '@balcao/connector/errors'
import { Pacer } from '@balcao/connector/pacer'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { BinaryNode, WAMessageKey, WASocket } from 'baileys'
import { jidOfAddress, type Self } from '#inbound/message.ts'
import type { ConnectionOptions } from '#options.ts'
import type { Journal } from '#socket/journal.ts'
import {
  ACK_TIMEOUT_MS,
  type ChatLockNotice,
  createChatLock,
  createConfirmations,
  RESTRICTED,
} from './confirmations.ts'
import { buildWireMessage } from './media.ts'
import type { MediaServer, UploadHost } from './media-server.ts'
import { Resends } from './resends.ts'
import { createSentMessages, editAttributes, messageIdOf, type SentMessages } from './sent.ts'

export interface SenderOptions {
  readonly host: Pick<SessionHost, 'now' | 'maySend' | 'keys' | 'readMedia' | 'listSent' | 'receipt'>
  readonly options: Pick<ConnectionOptions, 'pace' | 'ackMs' | 'logFailure'>
  readonly delays: (attempt: number) => number
  readonly mediaServer: MediaServer
  readonly journal: Pick<Journal, 'encryptFor'>
  readonly self: () => Self
  readonly socket: () => WASocket | null
  readonly isOpen: () => boolean
  /** Takes the unread messages of this chat. An answer marks them as read. */
  readonly takeUnread: (address: string) => readonly WAMessageKey[]
  readonly ended: AbortSignal
}

const NOT_CONNECTED = 'sem conexão com o WhatsApp'

export class MessageSender {
  readonly sent: SentMessages
  readonly resends: Resends
  readonly #options: SenderOptions
  readonly #confirmations
  readonly #chatLock = createChatLock()
  readonly #pacer: Pacer | null

  constructor(options: SenderOptions) {
    const { host, self, delays, ended } = options
    const { pace, ackMs, logFailure } = options.options
    this.#options = options
    this.#confirmations = createConfirmations(ackMs)
    this.#pacer = pace === 'livre' ? null : new Pacer(pace)
    this.resends = new Resends({
      ...{ keys: host.keys, delays, ended, logFailure },
      graceMs: ackMs ?? ACK_TIMEOUT_MS,
      resend: (id, devices) => this.#resend(id, devices),
    })
    const onDelivered = (id: string, device: string): void => this.resends.delivered(id, device)
    this.sent = createSentMessages(host, { logFailure, self, onDelivered })
  }

  async send(message: OutboundMessage): Promise<void> {
    const { socket, ended } = this.#options
    const chat = jidOfAddress(message.endereco)
    await this.#pacer?.waitForTurn(message, ended)
    await this.#chatLock.check(chat, async () => {
      return (await socket()?.signalRepository.validateSession(chat))?.exists ?? false
    })
    await this.#deliver(message)
  }

  acknowledged(ack: BinaryNode): void {
    const { id = '', error, from = '' } = ack.attrs
    const expected = this.#confirmations.received(ack)
    if (error === undefined) return
    if (error !== RESTRICTED) return expected ? undefined : this.resends.refused(id)
    this.#chatLock.refused(from)
    // The answer arrives as a `chatLock` event.
    this.#options
      .socket()
      ?.fetchAccountReachoutTimelock()
      .catch(() => undefined)
  }

  chatLockNoticed(notice: ChatLockNotice): void {
    this.#chatLock.noticed(notice)
  }

  connectionLost(): void {
    this.#confirmations.rejectAll()
  }

  async #deliver(message: OutboundMessage): Promise<void> {
    const { host, mediaServer, journal, self, socket, isOpen, takeUnread } = this.#options
    const chat = jidOfAddress(message.endereco)
    const uploadHost = (): Promise<UploadHost> => this.#uploadHost()
    const context = { mediaServer, uploadHost, readMedia: host.readMedia, now: host.now, chat, self: self() }
    const content = await buildWireMessage(message, context)
    if (socket() === null || !isOpen() || !host.maySend()) throw new SendFailed(NOT_CONNECTED)
    const messageId = messageIdOf(message.idExterno)
    const additionalAttributes = editAttributes(message)
    const options = { messageId, ...(additionalAttributes === undefined ? {} : { additionalAttributes }) }
    const written = journal.encryptFor(chat, () => socket()?.relayMessage(chat, content, options))
    // In parallel, because the library may wait a minute for a closed connection.
    await Promise.all([written, this.#confirmations.waitFor(messageId)])
    const unread = takeUnread(message.endereco)
    // A lost read receipt is harmless.
    if (unread.length > 0) {
      socket()
        ?.readMessages([...unread])
        .catch(() => undefined)
    }
  }

  async #uploadHost(): Promise<UploadHost> {
    const connection = await this.#options.socket()?.refreshMediaConn(false)
    const [host] = connection?.hosts ?? []
    if (connection === undefined || host === undefined) throw new Error(NOT_CONNECTED)
    return { hostname: host.hostname, auth: connection.auth }
  }

  async #resend(id: string, devices: readonly string[]): Promise<void> {
    const message = await this.sent.find(id)
    if (message === undefined) return
    // After several requests for one message the library ignores their keys, and the stored ones may be used up.
    // This fetches new ones.
    await this.#options.socket()?.assertSessions([...devices], true)
    await this.#deliver(message)
  }
}
