import PQueue from 'p-queue'
import { SendFailed } from '@balcao/connector/errors'
import { Pacer } from '@balcao/connector/pacer'
import { PairingCodes } from '@balcao/connector/pairing-codes'
import type { Connector, LinkState, OutboundMessage, PairingCode, SessionHost } from '@balcao/connector/port'
import { Reconnects } from '@balcao/connector/reconnect'
import { singleFlight } from '@balcao/connector/keyed-queue'
import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import { PageHealth } from './browser/health.ts'
import { BrowserOpener, type OpenBrowser, withoutSandbox } from './browser/launch.ts'
import type { WebListeners } from './browser/listen.ts'
import { classifyOpenFailure, decideWebClose, withTimeout } from './failures.ts'
import { WebInbound } from './inbound.ts'
import { createLinkRecord, type LinkRecord, requestPairingCode } from './link.ts'
import { type CompleteWebOptions, completeWebOptions, type WebConnectionOptions } from './options.ts'
import { createWebReceipts, OwnMessages } from './own-messages.ts'
import { Recovery } from './recovery.ts'
import { showTyping, WebSender } from './sender.ts'
import { ownAccountSchema } from './shapes.ts'

const CODE_MS = 3 * 60_000
const CODES_MAX = 6
const CODE_GRACE_MS = 15_000
const QUERY_MS = 10_000
const PATIENCE_MS = 10_000
const NO_CONNECTION_TEXT = 'sem conexão com o WhatsApp'
const RECONNECTING_STATES: ReadonlySet<unknown> = new Set(['OPENING', 'PAIRING', 'TIMEOUT'])

export const createConnection = (host: SessionHost, options: WebConnectionOptions): Connector =>
  new WebConnection(host, completeWebOptions(options))

class WebConnection implements Connector {
  readonly #host: SessionHost
  readonly #options: CompleteWebOptions
  readonly #link: LinkRecord
  readonly #opener: BrowserOpener
  readonly #sender: WebSender
  readonly #inbound: WebInbound
  readonly #recovery: Recovery
  readonly #receipt: ReturnType<typeof createWebReceipts>
  readonly #health: PageHealth
  readonly #codes: PairingCodes
  readonly #pacer: Pacer | null
  readonly #reconnects: Reconnects
  readonly #inFlight = singleFlight()
  readonly #steps = new PQueue({ concurrency: 1 })
  readonly #session = new AbortController()
  #started = false
  #browser: OpenBrowser | null = null
  #pageReady = false
  #connected = false
  #heardAt = 0
  #reconnectTimer: NodeJS.Timeout | undefined

  constructor(host: SessionHost, options: CompleteWebOptions) {
    const { report } = options
    this.#host = host
    this.#options = options
    this.#link = createLinkRecord(host, report)
    this.#opener = new BrowserOpener({ ...options, host })
    const ownMessages = new OwnMessages(host)
    this.#sender = new WebSender({ host, ownMessages, timeoutMs: options.sendTimeoutMs })
    this.#pacer = options.unpaced === true ? null : new Pacer({ patienceMs: PATIENCE_MS })
    this.#reconnects = new Reconnects({ delays: options.reconnectDelay })
    this.#inbound = new WebInbound({
      ...{ host, report, ownMessages },
      fetchMessage: async (idWeb) =>
        this.#browser === null ? null : withTimeout(this.#browser.client.getMessageById(idWeb), QUERY_MS),
    })
    this.#recovery = new Recovery(this.#inbound)
    this.#receipt = createWebReceipts(host, ownMessages, report)
    this.#health = new PageHealth({
      ...{ report, maxMemoryBytes: options.maxMemoryBytes, everyMs: options.healthCheckMs },
      onConnected: () => this.#pageAnswered(),
      recover: ({ client }) => this.#recovery.recover(client, this.#link.since()),
    })
    this.#codes = new PairingCodes({
      ...{ now: host.now, lifetimeMs: options.qrLifetimeMs, max: CODES_MAX, graceMs: CODE_GRACE_MS },
      publish: (state) => void this.#publish(state),
      onExpired: () => this.#codeExpired(),
    })
  }

  silenceMs(): number | null {
    return this.#connected ? performance.now() - this.#heardAt : null
  }

  async start(): Promise<void> {
    if (this.#started) return
    this.#started = true
    if (withoutSandbox) this.#options.report('running as root', 'browser sandbox off, run the server as another user')
    await this.#publish({ tipo: 'conectando' })
    if (this.#isStopped()) return
    // Opening takes seconds and must not delay other bots.
    this.#step(async () => {
      await this.#opener.lockProfile()
      await this.#open()
    })
    this.#health.start(() => this.#checkHealth())
  }

  async stop(): Promise<void> {
    try {
      await this.#shutDown(() => this.#link.advance(this.#inbound.receivedUntil()))
    } finally {
      this.#opener.release()
    }
  }

  async logout(): Promise<void> {
    try {
      await this.#shutDown(({ client }) => withTimeout(client.logout(), QUERY_MS).catch(() => undefined))
      await this.#options.profiles.remove(this.#host.linhaId)
    } finally {
      this.#opener.release()
    }
  }

  send(message: OutboundMessage): Promise<void> {
    return this.#inFlight(message.idExterno, async () => {
      await this.#pacer?.waitForTurn(message, this.#session.signal)
      if (this.#browser === null || !this.#connected) throw new SendFailed(NO_CONNECTION_TEXT)
      await this.#sender.send(this.#browser, message)
      this.#heardAt = performance.now()
    })
  }

  typing(address: string): void {
    if (this.#browser !== null) showTyping(this.#browser.client, address)
  }

  async pairingCode(telefone: string): Promise<PairingCode | null> {
    if (this.#browser === null || !this.#codes.isShowing || this.#link.exists()) return null
    const codigo = await requestPairingCode(this.#browser.client, telefone)
    this.#codes.extend(CODE_MS)
    return { codigo, expiraEm: new Date(this.#host.now().getTime() + CODE_MS) }
  }

  #isStopped(): boolean {
    return this.#session.signal.aborted
  }

  async #publish(state: LinkState): Promise<void> {
    if (!this.#isStopped()) await this.#host.linkState(state)
  }

  #step(run: () => Promise<void>): void {
    this.#steps.add(run).catch((error: unknown) => this.#options.report(error, 'session step failed'))
  }

  /** Ignores events of a browser that was already replaced. */
  #stepOfBrowser(run: () => Promise<void>): void {
    const browser = this.#browser
    this.#step(async () => {
      if (this.#browser === browser && !this.#isStopped()) await run()
    })
  }

  async #open(): Promise<void> {
    if (this.#isStopped()) return
    try {
      this.#health.progressed()
      this.#browser = await this.#opener.open({ empty: !this.#link.exists(), on: this.#listeners() })
      this.#recovery.opened(this.#browser.client)
      if (!this.#isStopped()) await this.#browser.load()
    } catch (error) {
      if (this.#isStopped()) return
      this.#options.report(error, 'browser not opened')
      const { permanent, motivo } = classifyOpenFailure(error)
      await (permanent ? this.#end('ERRO', motivo) : this.#lose(motivo))
    }
  }

  async #closeBrowser(): Promise<void> {
    const browser = this.#browser
    this.#codes.stop()
    this.#recovery.closed()
    this.#health.reset()
    this.#browser = null
    this.#pageReady = false
    this.#connected = false
    await browser?.close()
  }

  async #lose(motivo: MotivoBot): Promise<void> {
    await this.#closeBrowser()
    if (this.#isStopped()) return
    this.#reconnects.closed()
    await this.#publish({ tipo: 'reconectando', motivo })
    this.#reconnectTimer = setTimeout(() => this.#step(() => this.#open()), this.#reconnects.nextDelayMs())
  }

  async #end(status: StatusBot, motivo: MotivoBot): Promise<void> {
    const { profiles, report } = this.#options
    await this.#closeBrowser()
    if (motivo === 'desconectadoNoCelular' || motivo === 'banido') {
      this.#link.forget()
      // A failure is harmless: the next link starts with an empty folder.
      await profiles.remove(this.#host.linhaId).catch((error: unknown) => report(error, 'profile folder not deleted'))
    }
    await this.#publish({ tipo: 'encerrado', status, motivo })
  }

  #listeners(): WebListeners & { readonly crashed: () => void } {
    return {
      code: (qrCode) => {
        if (!this.#codes.show(qrCode)) this.#codeExpired()
      },
      authenticated: () => {
        this.#health.progressed()
        if (this.#codes.isShowing) void this.#publish({ tipo: 'conectando' })
        this.#codes.stop()
        void this.#link.create()
      },
      ready: () => this.#stepOfBrowser(() => this.#opened()),
      refused: () => this.#stepOfBrowser(() => this.#end('erro_auth', 'credenciaisInvalidas')),
      stateChanged: (state) => this.#stateChanged(state),
      disconnected: (reason) => this.#disconnected(reason),
      crashed: () => this.#stepOfBrowser(() => this.#lose('navegadorCaiu')),
      message: (raw) => {
        this.#heardAt = performance.now()
        this.#recovery.arrived(raw)
      },
      changed: (change) => this.#recovery.changed(change),
      receipt: (message, ack) => {
        if (!this.#isStopped()) this.#receipt(message, ack)
      },
    }
  }

  #codeExpired(): void {
    this.#stepOfBrowser(() => this.#end('PARADO', 'qrExpirado'))
  }

  async #opened(): Promise<void> {
    // Written before the state: a bot that was shown as connected must reconnect without a new scan.
    if (!(await this.#link.create())) return this.#lose('erroInterno')
    const browser = this.#browser
    if (browser === null) return
    this.#pageReady = true
    this.#connected = true
    this.#health.reset()
    this.#heardAt = performance.now()
    this.#reconnects.opened()
    const { data: account } = ownAccountSchema.safeParse(browser.client.info)
    const numero = account?.wid.user ?? ''
    await this.#publish({ tipo: 'conectado', como: account?.pushname || numero, numero })
    await this.#recovery.recover(browser.client, this.#link.since())
  }

  #stateChanged(state: unknown): void {
    if (state === 'CONNECTED' && this.#pageReady && !this.#connected) this.#stepOfBrowser(() => this.#opened())
    if (!RECONNECTING_STATES.has(state) || !this.#connected) return
    this.#connected = false
    void this.#publish({ tipo: 'reconectando', motivo: 'semRede' })
  }

  #disconnected(reason: unknown): void {
    const { replacedAgain } = this.#reconnects.closed(reason === 'CONFLICT' ? 'replaced' : undefined)
    const closing = decideWebClose(reason, replacedAgain)
    const { motivo } = closing
    this.#options.report(reason, 'link ended by the page')
    this.#stepOfBrowser(() => (closing.tipo === 'esperar' ? this.#lose(motivo) : this.#end(closing.status, motivo)))
  }

  async #checkHealth(): Promise<void> {
    const browser = this.#browser
    if (browser === null || this.#isStopped()) return
    if (!this.#pageReady) {
      if (this.#health.isLate() && !this.#codes.isShowing) this.#stepOfBrowser(() => this.#lose('servicoInstavel'))
      return
    }
    const mustReopen = await this.#health.mustReopen(browser)
    await this.#link.advance(this.#inbound.receivedUntil())
    if (mustReopen && browser === this.#browser) this.#stepOfBrowser(() => this.#lose('navegadorCaiu'))
  }

  #pageAnswered(): void {
    this.#heardAt = performance.now()
    if (!this.#connected) this.#stepOfBrowser(() => this.#opened())
  }

  async #shutDown(sayGoodbye: (browser: OpenBrowser) => Promise<void>): Promise<void> {
    const { browser, pageReady } = { browser: this.#browser, pageReady: this.#pageReady }
    this.#session.abort()
    this.#inbound.close()
    this.#health.stop()
    clearTimeout(this.#reconnectTimer)
    this.#codes.stop()
    if (browser !== null && pageReady) await sayGoodbye(browser)
    await browser?.close()
    await this.#steps.onIdle()
    await this.#closeBrowser()
  }
}
