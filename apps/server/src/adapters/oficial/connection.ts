import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Connector, ConnectorFactory, OutboundMessage, SessionHost } from '@balcao/connector/port'
import { singleFlight } from '@balcao/connector/keyed-queue'
import type { OficialJournal, OficialNumber, OficialOrders, OficialPayments, OficialService } from '#ports/oficial.ts'
import { MetaConfirmations, createStatusHandler } from './confirmations.ts'
import { type Graph, createGraph, setWebhookSubscription } from './graph/client.ts'
import { createMetaFiles } from './graph/media.ts'
import { createTemplateCache } from './graph/models.ts'
import { MetaInbound } from './inbound.ts'
import { MetaLink } from './link.ts'
import { MetaOrders } from './refusals/orders.ts'
import { MetaPayment } from './refusals/payment.ts'
import { MetaSender } from './sender.ts'
import { parsePrices } from './prices.ts'
import { parseWebhook } from './webhook-parse.ts'

const TIMEOUT_MS = 5_000
const MAX_CONTATOS = 5_000

/** Read marks and typing indicator. Both refer to the contato's last message. Errors are ignored. */
interface ReadMarks {
  readonly arrived: (address: string, wamid: string) => void
  readonly answered: (address: string) => void
  readonly typing: (address: string) => void
}

function createReadMarks(graph: Graph, number: () => OficialNumber | null): ReadMarks {
  const last = new LRUCache<string, { readonly wamid: string; isRead: boolean }>({
    maxSize: MAX_CONTATOS,
    sizeCalculation: () => 1,
  })

  const mark = (address: string, more: object): void => {
    const message = last.get(address)
    const current = number()
    if (message === undefined || current === null) return
    message.isRead = true
    const body = { messaging_product: 'whatsapp', status: 'read', message_id: message.wamid, ...more }
    const { telefoneId, token } = current
    graph
      .request({ method: 'POST', path: `${telefoneId}/messages`, token, body, timeoutMs: TIMEOUT_MS })
      .catch(() => undefined)
  }

  return {
    arrived: (address, wamid) => void last.set(address, { wamid, isRead: false }),
    answered: (address) => {
      if (last.get(address)?.isRead === false) mark(address, {})
    },
    typing: (address) => mark(address, { typing_indicator: { type: 'text' } }),
  }
}

export interface OficialTimings {
  readonly confirmationMs?: number
  readonly checkMs?: number
  readonly reconnectDelay?: (attempt: number) => number
}

export interface OficialOptions extends OficialTimings {
  /** Without a version. Comes only from the environment: an account must not choose where its token goes. */
  readonly baseUrl?: string | undefined
  readonly journal: OficialJournal
  readonly payments: OficialPayments
  readonly orders: OficialOrders
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

export function createOficial({ baseUrl, journal, payments, orders, log, ...timings }: OficialOptions): {
  readonly factory: ConnectorFactory
  readonly service: OficialService
} {
  const graph = createGraph(baseUrl)
  return {
    factory: (host) => {
      const { contaId, linhaId } = host
      // Only our own error texts: a vendor's may repeat the content of a request.
      const report = (error: unknown, event: string): void => {
        const detalhe = error instanceof Error ? `${error.name}: ${error.message}` : 'erro'
        log.warn({ contaId, linhaId, detalhe }, `oficial: ${event}`)
      }
      return new MetaConnection(host, { graph, journal, payments, orders, report, ...timings })
    },
    service: { parseWebhook, parsePrices, listModelos: createTemplateCache(graph, journal, log) },
  }
}

interface MetaConnectionOptions extends OficialTimings {
  readonly graph: Graph
  readonly journal: OficialJournal
  readonly payments: OficialPayments
  readonly orders: OficialOrders
  readonly report: (error: unknown, event: string) => void
}

const CONFIRMATION_MS = 10_000
const CHECK_MS = 30_000

class MetaConnection implements Connector {
  readonly #host: SessionHost
  readonly #options: MetaConnectionOptions
  readonly #confirmations = new MetaConfirmations()
  readonly #inFlight = singleFlight()
  readonly #link: MetaLink
  readonly #payment: MetaPayment
  readonly #orders: MetaOrders
  readonly #sender: MetaSender
  readonly #readMarks: ReadMarks
  readonly #inbound: MetaInbound
  #number: OficialNumber | null = null
  #started = false
  #stopped = false
  #unsubscribe: (() => void) | null = null

  constructor(host: SessionHost, options: MetaConnectionOptions) {
    const {
      graph,
      journal,
      payments,
      orders,
      report,
      confirmationMs = CONFIRMATION_MS,
      checkMs = CHECK_MS,
      reconnectDelay,
    } = options
    const { linkState } = host
    const number = (): OficialNumber | null => this.#number
    this.#host = host
    this.#options = options
    const reloadNumber = (): Promise<boolean> => this.#reloadNumber()
    this.#payment = new MetaPayment({ host, payments, changed: () => this.#link.paymentChanged(), report })
    this.#orders = new MetaOrders({ host, orders, report })
    this.#link = new MetaLink({
      ...{ graph, number, reloadNumber, linkState, checkMs, reconnectDelay, report },
      isUnpaid: () => this.#payment.isRefused(),
    })
    this.#sender = new MetaSender({
      ...{ graph, host, confirmationMs },
      ...{ link: this.#link, confirmations: this.#confirmations },
      ...{ payment: this.#payment, orders: this.#orders },
    })
    this.#readMarks = createReadMarks(graph, () => (this.#link.isConnected() ? this.#number : null))
    this.#inbound = new MetaInbound({
      host: {
        ...{
          contaId: host.contaId,
          linhaId: host.linhaId,
          now: host.now,
          change: host.change,
          identity: host.identity,
        },
        findQuoted: host.findQuoted,
        receive: async (message) => {
          if (message.deMim !== true && message.agente !== true) this.#readMarks.arrived(message.endereco, message.id)
          await host.receive(message)
        },
      },
      ...{ journal, report },
      onStatus: createStatusHandler(host, this.#confirmations, this.#payment, this.#orders),
      withFile: createMetaFiles({ graph, host, number, report }),
    })
  }

  /** Measured from accepted calls: the Cloud API has no connection and no heartbeat. */
  silenceMs(): number | null {
    return this.#link.silenceMs()
  }

  async start(): Promise<void> {
    if (this.#started) return
    this.#started = true
    const { linkState } = this.#host
    if (!this.#stopped) await linkState({ tipo: 'conectando' })
    this.#number = await this.#options.journal.findNumber(this.#host)
    await Promise.all([this.#payment.load(), this.#orders.load()])
    if (this.#isStopped()) return
    if (this.#number === null) return this.#link.end('credenciaisInvalidas')
    this.#unsubscribe = this.#options.journal.subscribe(this.#host.linhaId, () => void this.#inbound.arrived())
    // Also reads statuses of an earlier session's messages before any of them is sent again.
    await this.#inbound.arrived()
    await this.#link.check()
  }

  async stop(): Promise<void> {
    this.#close()
  }

  async logout(): Promise<void> {
    this.#close()
    if (this.#number === null) return
    await setWebhookSubscription(this.#options.graph, this.#number, 'DELETE').catch(() => undefined)
  }

  async send(message: OutboundMessage): Promise<void> {
    await this.#inFlight(message.idExterno, () => this.#sender.send(this.#number, message))
    this.#link.accepted()
    this.#readMarks.answered(message.endereco)
  }

  typing(address: string): void {
    this.#readMarks.typing(address)
  }

  #isStopped(): boolean {
    return this.#stopped
  }

  #close(): void {
    this.#stopped = true
    this.#link.close()
    this.#unsubscribe?.()
    this.#inbound.close()
    this.#confirmations.cancel()
  }

  async #reloadNumber(): Promise<boolean> {
    const fresh = await this.#options.journal.findNumber(this.#host).catch(() => null)
    if (fresh === null || isDeepStrictEqual(fresh, this.#number)) return false
    this.#number = fresh
    return true
  }
}
