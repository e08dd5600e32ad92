import type { SessionHost } from '@balcao/connector/port'
import { Reconnects } from '@balcao/connector/reconnect'
import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import type { OficialNumber } from '#ports/oficial.ts'
import { type Graph, fetchNumber, setWebhookSubscription } from './graph/client.ts'
import { MetaFailure } from './graph/errors.ts'

export interface MetaLinkOptions {
  readonly graph: Graph
  readonly number: () => OficialNumber | null
  readonly reloadNumber: () => Promise<boolean>
  /** Meta refuses messages for lack of payment. The link works. */
  readonly isUnpaid: () => boolean
  readonly linkState: SessionHost['linkState']
  /** Interval of the check, so that an expired token is noticed even without traffic. */
  readonly checkMs: number
  readonly reconnectDelay: ((attempt: number) => number) | undefined
  readonly report: (error: unknown, event: string) => void
}

/** The Cloud API has no connection. A number counts as connected while Meta accepts its token. */
export class MetaLink {
  readonly #options: MetaLinkOptions
  readonly #reconnects: Reconnects
  #closed = false
  #connected = false
  #identity: { readonly como: string; readonly numero?: string } = { como: '' }
  #subscribed: OficialNumber | null = null
  #acceptedAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: MetaLinkOptions) {
    this.#options = options
    this.#reconnects = new Reconnects({ delays: options.reconnectDelay })
  }

  isConnected(): boolean {
    return this.#connected
  }

  silenceMs(): number | null {
    return this.#connected ? performance.now() - this.#acceptedAt : null
  }

  accepted(): void {
    this.#acceptedAt = performance.now()
  }

  async check(): Promise<void> {
    const { graph, number, checkMs } = this.#options
    const current = number()
    if (current === null || this.#closed) return
    try {
      const identity = await fetchNumber(graph, current)
      this.#reconnects.opened()
      this.accepted()
      if (!this.#connected) {
        this.#connected = true
        this.#identity = identity
        await this.#publishConnected()
      }
      void this.#subscribe(current)
      this.schedule(checkMs)
    } catch (error) {
      // The rate limit affects only this check; messages still work.
      const isRateLimit = this.#connected && error instanceof MetaFailure && error.tipo === 'devagar'
      if (isRateLimit) this.schedule(error.waitMs + checkMs)
      else await this.#lost(error)
    }
  }

  schedule(ms: number): void {
    clearTimeout(this.#timer)
    if (!this.#closed) this.#timer = setTimeout(() => void this.check(), ms)
  }

  async sendFailed(failure: MetaFailure): Promise<void> {
    if (this.#connected) await this.#lost(failure)
  }

  async paymentChanged(): Promise<void> {
    if (this.#connected) await this.#publishConnected()
  }

  async end(motivo: MotivoBot): Promise<void> {
    clearTimeout(this.#timer)
    await this.#publish({ tipo: 'encerrado', status: motivo === 'banido' ? 'ERRO' : 'erro_auth', motivo })
  }

  close(): void {
    this.#closed = true
    this.#connected = false
    clearTimeout(this.#timer)
  }

  async #publishConnected(): Promise<void> {
    const motivo = this.#options.isUnpaid() ? ({ motivo: 'semPagamentoMeta' } as const) : {}
    await this.#publish({ tipo: 'conectado', ...this.#identity, ...motivo })
  }

  async #publish(state: Parameters<SessionHost['linkState']>[0]): Promise<void> {
    if (!this.#closed) await this.#options.linkState(state)
  }

  /** Without the subscription Meta sends no webhooks, so each check retries it until it succeeds. */
  async #subscribe(current: OficialNumber): Promise<void> {
    if (this.#subscribed === current) return
    try {
      await setWebhookSubscription(this.#options.graph, current, 'POST')
      this.#subscribed = current
    } catch (error) {
      this.#options.report(error, 'webhook subscription failed, retrying')
    }
  }

  async #lost(error: unknown): Promise<void> {
    const { report, reloadNumber } = this.#options
    const tipo = error instanceof MetaFailure ? error.tipo : 'instavel'
    this.#connected = false
    this.#reconnects.closed()
    if (tipo === 'credenciais' || tipo === 'bloqueada' || tipo === 'recusada') {
      report(error, 'Meta rejected the token or blocked the number')
      if (await reloadNumber()) return this.schedule(0)
      return this.end(tipo === 'bloqueada' ? 'banido' : 'credenciaisInvalidas')
    }
    const motivo = tipo === 'instavel' || tipo === 'devagar' ? 'servicoInstavel' : 'semRede'
    await this.#publish({ tipo: 'reconectando', motivo })
    this.schedule(this.#reconnects.nextDelayMs())
  }
}
