import { setTimeout as sleep } from 'node:timers/promises'
import { PairingCodes } from '@balcao/connector/pairing-codes'
import type { Connector, LinkState, OutboundMessage, PairingCode, SessionHost } from '@balcao/connector/port'
import { reconnectDelayMs, Reconnects } from '@balcao/connector/reconnect'
import { Boom } from '@hapi/boom'
import { isPnUser, jidDecode, jidNormalizedUser, type WAMessage, type WASocket } from 'baileys'
import { closeCauseOf, decideClose } from './close.ts'
import { Calls } from './inbound/calls.ts'
import { Inbound } from './inbound/inbound.ts'
import { createPhoneOfLid, isUnreadable, jidOfAddress, type PhoneOfLid, type Self } from './inbound/message.ts'
import { MissingMessages } from './inbound/missing.ts'
import type { ConnectionOptions, ProtocolVersion } from './options.ts'
import { createMediaServer } from './outbound/media-server.ts'
import { MessageSender } from './outbound/sender.ts'
import {
  type ConnectionKeys,
  createConnectionKeys,
  type DeviceCredentials,
  openDeviceCredentials,
} from './socket/credentials.ts'
import { createJournal, type Journal } from './socket/journal.ts'
import { requestCode } from './socket/pairing.ts'
import { openSocket, type SocketListeners } from './socket/socket.ts'
import { unlinkDevice, unlinkOverSocket } from './unlink.ts'

const CLOSE_TIMEOUT_MS = 3_000
/** A connection that closes sooner was not stable. */
const STABLE_MS = 30_000

/**
 * Connection of one conta to one phone. It reconnects automatically until `stop`, `logout` or a final close code.
 */
export class Connection implements Connector {
  readonly #host: SessionHost
  readonly #options: ConnectionOptions
  readonly #credentials: DeviceCredentials
  readonly #session = new AbortController()
  readonly #codes: PairingCodes
  readonly #reconnects: Reconnects
  readonly #phoneOfLid: PhoneOfLid
  readonly #journal: Journal
  readonly #calls: Calls
  readonly #missing: MissingMessages
  readonly #inbound: Inbound
  readonly #sender: MessageSender
  #socket: WASocket | null = null
  #keys: ConnectionKeys | null = null
  #isOpen = false
  #isStarted = false
  #lastFrameAt: number | null = null
  #reconnect: NodeJS.Timeout | undefined

  constructor(host: SessionHost, options: ConnectionOptions) {
    const { logFailure, delays = reconnectDelayMs, stableMs = STABLE_MS } = options
    const { keys } = host
    const ended = this.#session.signal
    const self = (): Self => this.#self
    const socket = (): WASocket | null => this.#socket
    const onMissing = (entry: { readonly id: string; readonly valor: string }): void => this.#inbound.arrived(entry)
    const mediaServer = createMediaServer(options.mediaUrl, options.fetchUrl)
    this.#host = host
    this.#options = options
    this.#credentials = openDeviceCredentials(host, (error) => logFailure(error, 'credentials not written'))
    this.#codes = new PairingCodes({
      ...{ now: host.now, lifetimeMs: options.qrMs },
      publish: (state) => this.#publish(state),
    })
    this.#reconnects = new Reconnects({ stableMs, delays })
    this.#phoneOfLid = createPhoneOfLid(keys, socket)
    this.#journal = createJournal({
      myId: () => this.#credentials.creds.me?.id,
      myLid: () => this.#credentials.creds.me?.lid,
      onEntry: (id, valor) => this.#inbound.arrived({ id, valor }),
    })
    this.#calls = new Calls({ keys, self, ended, onMissed: onMissing, ringMs: options.ringMs })
    this.#missing = new MissingMessages({ keys, ended, onMissing, waitMs: options.missingMs })
    this.#sender = new MessageSender({
      ...{ host, options, delays, mediaServer, journal: this.#journal, self, socket, ended },
      isOpen: () => this.#isOpen,
      takeUnread: (address) => this.#inbound.takeUnread(address),
    })
    this.#inbound = new Inbound({
      ...{ host, mediaServer, self, ended, logFailure, phoneOfLid: this.#phoneOfLid, retryMs: options.retryMs },
      isOpen: (entry) => this.#calls.isRinging(entry.id) || this.#missing.waitFor(entry),
      contentArrived: (id) => this.#missing.contentArrived(id),
      isMissing: (id) => this.#missing.isMissing(id),
      externalIdOf: this.#sender.sent.externalIdOf,
    })
  }

  silenceMs(): number | null {
    return this.#lastFrameAt === null ? null : performance.now() - this.#lastFrameAt
  }

  async start(): Promise<void> {
    if (this.#isStarted) return
    this.#isStarted = true
    await this.#host.linkState({ tipo: 'conectando' })
    // Keys of earlier credentials would not match the new ones.
    if (this.#credentials.isNew) await this.#host.keys.clear()
    // Messages of an earlier process come before those of the new connection.
    await this.#inbound.recover()
    await this.#open()
  }

  async stop(): Promise<void> {
    this.#end()
    await this.#releaseSocket()
    await this.#sender.resends.close()
  }

  async logout(): Promise<void> {
    const { creds } = this.#credentials
    const sock = this.#isOpen ? this.#socket : null
    this.#end()
    const leftOnline = sock !== null && (await unlinkOverSocket(sock))
    await this.#releaseSocket()
    // Without this, the phone would keep listing a device whose keys are deleted. The open connection may have broken.
    const left = leftOnline || !this.#isPaired || (await this.#unlink(creds))
    if (!left) this.#options.logFailure(new Error('no answer'), 'phone not notified of the logout')
  }

  send(message: OutboundMessage): Promise<void> {
    return this.#sender.send(message)
  }

  typing(address: string): void {
    this.#socket?.sendPresenceUpdate('composing', jidOfAddress(address)).catch(() => undefined)
  }

  async pairingCode(telefone: string): Promise<PairingCode | null> {
    const sock = this.#socket
    if (sock === null || !this.#codes.isShowing || this.#isPaired) return null
    const codigo = await requestCode(sock, telefone)
    // The code is valid until the connection ends, with the last QR code.
    return codigo === null || this.#socket !== sock ? null : { codigo, expiraEm: this.#codes.lastExpiresAt }
  }

  get #self(): Self {
    const { me } = this.#credentials.creds
    return { jid: me?.id ?? '', lid: me?.lid ?? '' }
  }

  get #isPaired(): boolean {
    return this.#credentials.creds.account !== undefined
  }

  get #hasEnded(): boolean {
    return this.#session.signal.aborted
  }

  #publish(state: LinkState): void {
    if (this.#hasEnded) return
    this.#host.linkState(state).catch((error: unknown) => this.#options.logFailure(error, 'link state not stored'))
  }

  async #open(): Promise<void> {
    const { creds } = this.#credentials
    await this.#keys?.close()
    const version = await this.#version()
    if (this.#hasEnded) return
    this.#codes.stop()
    // Deletes the number of a code request, because no phone has linked it yet.
    if (!this.#isPaired) delete creds.me
    this.#keys = createConnectionKeys(this.#host, (error) => this.#closeWithoutKeys(error))
    this.#socket = openSocket({
      ...this.#options,
      ...{ creds, keys: this.#keys, journal: this.#journal, on: this.#listeners },
      ...{ version, sentContent: this.#sender.sent.contentFor },
    })
  }

  #version(): Promise<ProtocolVersion | undefined> {
    return this.#options.version?.(this.#host.linhaId) ?? Promise.resolve(undefined)
  }

  async #unlink(creds: DeviceCredentials['creds']): Promise<boolean> {
    return unlinkDevice(creds, { url: this.#options.url, version: await this.#version() })
  }

  // Without its keys the library would refuse the message, and the server would delete it. With a closed connection
  // the server keeps it.
  #closeWithoutKeys(error: unknown): void {
    this.#options.logFailure(error, 'key store failed, connection closed')
    void this.#socket?.end(new Boom('key store', { statusCode: 428 }))
  }

  /** Closes the connection if the stanza could not be stored. The server repeats it on the next connection. */
  async #stored(storing: Promise<void>): Promise<void> {
    try {
      await storing
    } catch (error) {
      this.#closeWithoutKeys(error)
      throw error
    }
  }

  readonly #listeners: SocketListeners = {
    // Before a phone has linked, there is nothing to store.
    credentials: () => void (this.#isPaired ? this.#credentials.save() : undefined),
    qrCode: (qrCode, left) => void this.#codes.show(qrCode, left),
    qrCodeRenewed: (qrCode) => this.#codes.replace(qrCode),
    opened: () => this.#opened(),
    closed: (code) => this.#closed(code),
    message: (message) => this.#received(message),
    missing: (stanza) => this.#stored(this.#missing.sawStanza(stanza)),
    frame: () => (this.#lastFrameAt = performance.now()),
    ack: (ack) => this.#sender.acknowledged(ack),
    chatLock: (notice) => this.#sender.chatLockNoticed(notice),
    call: (stanza) => this.#stored(this.#calls.sawStanza(stanza)),
    receipt: (receipt) => this.#sender.sent.receipt(receipt),
    resendRequest: (id, device) =>
      this.#sender.resends.requested(id, device).catch((error: unknown) => this.#closeWithoutKeys(error)),
    typing: (jid) => this.#customerTyping(jidNormalizedUser(jid)),
  }

  #opened(): void {
    const { me } = this.#credentials.creds
    this.#isOpen = true
    this.#reconnects.opened()
    this.#missing.setConnected(true)
    this.#sender.resends.resume()
    const numero = jidDecode(me?.id)?.user ?? ''
    this.#publish({ tipo: 'conectado', como: me?.name ?? numero, numero })
  }

  #closed(code: number | undefined): void {
    this.#missing.setConnected(false)
    this.#isOpen = false
    this.#socket = null
    this.#lastFrameAt = null
    this.#sender.connectionLost()
    if (this.#hasEnded) return
    const history = this.#reconnects.closed(closeCauseOf(code))
    const decision = decideClose({ code, paired: this.#isPaired, codesEnded: this.#codes.isLast, ...history })
    switch (decision.tipo) {
      case 'reabrir':
        // The credentials of the pairing must be stored before the reconnect.
        void this.#credentials.save().then(() => this.#open())
        return
      case 'esperar':
        this.#publish({ tipo: 'reconectando', motivo: decision.motivo })
        this.#reconnect = setTimeout(() => void this.#open(), this.#reconnects.nextDelayMs())
        return
      case 'encerrar':
        this.#publish({ tipo: 'encerrado', status: decision.status, motivo: decision.motivo })
        this.#end()
        return
      default:
        return decision satisfies never
    }
  }

  #received(message: WAMessage): void {
    if (message.key.fromMe === true) return
    this.#inbound.reported(message)
    if (isUnreadable(message)) {
      this.#missing.sawUnreadable(message).catch((error: unknown) => this.#closeWithoutKeys(error))
    }
  }

  #customerTyping(endereco: string): void {
    const publish = (jid: string | null): void =>
      this.#host.typing({ endereco, telefone: jidDecode(jid ?? undefined)?.user ?? '' })
    if (isPnUser(endereco) === true) publish(endereco)
    else {
      this.#phoneOfLid(endereco)
        .then(publish)
        .catch(() => undefined)
    }
  }

  #end(): void {
    this.#session.abort()
    clearTimeout(this.#reconnect)
    this.#sender.connectionLost()
  }

  async #releaseSocket(): Promise<void> {
    // A dead network never answers the close.
    await Promise.race([this.#socket?.end(undefined), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    await this.#keys?.close()
  }
}
