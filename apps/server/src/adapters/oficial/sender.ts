import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { SendDeferred, SendFailed, SendRefused } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { OficialNumber } from '#ports/oficial.ts'
import { type MetaConfirmations, markFor, orderMark } from './confirmations.ts'
import type { Graph } from './graph/client.ts'
import { MetaFailure, metaErrorText } from './graph/errors.ts'
import { uploadMetaFile } from './graph/media.ts'
import { buildOrderDetails } from './graph/order-details.ts'
import { type MetaPart, splitMessage } from './graph/parts.ts'
import type { MetaLink } from './link.ts'
import { afterOrderError, type MetaOrders } from './refusals/orders.ts'
import type { MetaPayment } from './refusals/payment.ts'

/** Meta accepts 80 messages per second and number. We send at most 40, and none during a pause that Meta asked for. */
interface MetaPacer {
  readonly turn: () => Promise<void>
  readonly pauseMs: () => number
  readonly pause: (ms: number) => void
}

const BURST = 40
const INTERVAL_MS = 25

function createMetaPacer(): MetaPacer {
  let next = 0
  let pausedUntil = 0
  return {
    turn: async () => {
      const now = performance.now()
      next = Math.max(next + INTERVAL_MS, now - (BURST - 1) * INTERVAL_MS)
      const wait = next - now
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    },
    pauseMs: () => Math.max(0, pausedUntil - performance.now()),
    pause: (ms) => {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms)
    },
  }
}

export interface MetaSenderOptions {
  readonly graph: Graph
  readonly link: Pick<MetaLink, 'isConnected' | 'sendFailed' | 'schedule'>
  readonly confirmations: MetaConfirmations
  readonly payment: Pick<MetaPayment, 'requireSendable' | 'refused' | 'accepted'>
  readonly orders: Pick<MetaOrders, 'mayTry' | 'refused'>
  readonly host: Pick<
    SessionHost,
    'readMedia' | 'findOrder' | 'phoneOf' | 'replyAddress' | 'serviceId' | 'maySend' | 'beginSend'
  >
  readonly confirmationMs: number
}

interface Attempt {
  readonly recipient: object
  /** An earlier session may have sent the message. */
  readonly begunBefore: boolean
}

/** `texto`: it leaves as text. `recusado`: as well, and Meta refused it with its items. */
type OrderSent = { readonly tipo: 'saiu'; readonly wamid: string | null } | { readonly tipo: 'texto' | 'recusado' }

const AS_TEXT: OrderSent = { tipo: 'texto' }

const acceptedSchema = z.object({ messages: z.array(z.object({ id: z.string() })) })

const TIMEOUT_MS = 8_000
/** Meta keeps a file for 30 days. A picture of the loja is sent many times. */
const UPLOAD_CACHE_MS = 24 * 3_600_000
const MAX_UPLOADS = 500
const NO_CONNECTION_TEXT = 'sem conexão com o WhatsApp'
const PAUSED_TEXT = 'a Meta pediu que esperemos'

export class MetaSender {
  readonly #options: MetaSenderOptions
  readonly #pacer = createMetaPacer()
  readonly #uploads = new LRUCache<string, string>({
    ...{ maxSize: MAX_UPLOADS, sizeCalculation: () => 1 },
    ttl: UPLOAD_CACHE_MS,
  })
  readonly #startedAt = performance.now()

  constructor(options: MetaSenderOptions) {
    this.#options = options
  }

  /** Resolves when Meta accepted every part. Throws the errors of `Connector.send`, or `MetaFailure` for a retry. */
  async send(number: OficialNumber | null, message: OutboundMessage): Promise<void> {
    const { link, host, payment } = this.#options
    // Queued before the conta changed its connector.
    if (message.edicao !== undefined) throw new SendRefused('a API oficial não edita nem apaga mensagens')
    if (number === null || !link.isConnected()) throw new SendFailed(NO_CONNECTION_TEXT)
    await payment.requireSendable(message.idExterno)
    try {
      const wamid = await this.#sendParts(number, message)
      await payment.accepted(message.idExterno)
      if (wamid !== null && message.reacao === undefined) host.serviceId(message.idExterno, wamid)
    } catch (error) {
      throw error instanceof MetaFailure ? await this.#afterFailure(error) : error
    }
  }

  async #afterFailure(failure: MetaFailure): Promise<Error> {
    const { link, payment } = this.#options
    const { tipo, code, waitMs, recipientOnly } = failure
    if (tipo === 'recusada') {
      await payment.refused(code, 'answer')
      return new SendRefused(metaErrorText(code))
    }
    if (tipo === 'devagar') {
      if (!recipientOnly) this.#pacer.pause(waitMs)
      return new SendDeferred(PAUSED_TEXT, waitMs)
    }
    // Other messages would fail too, so the queue waits until Meta accepts calls again.
    if (tipo !== 'instavel' && tipo !== 'incerta') await link.sendFailed(failure)
    if (tipo === 'incerta') link.schedule(0)
    return failure
  }

  async #sendParts(number: OficialNumber, message: OutboundMessage): Promise<string | null> {
    const { host } = this.#options
    if (this.#pacer.pauseMs() > 0) throw new SendDeferred(PAUSED_TEXT, this.#pacer.pauseMs())
    // A queued message still has the address that the customer had when it was written.
    const recipient = await resolveRecipient(await host.replyAddress(message.endereco), host.phoneOf)
    const parts = await splitMessage(message, host.readMedia)
    const begunBefore = await host.beginSend(message.idExterno)
    const order = await this.#sendOrder(number, message, { recipient, begunBefore })
    if (order.tipo === 'saiu') return order.wamid
    const wamid = await this.#sendAll(number, message, { recipient, begunBefore, parts })
    if (order.tipo === 'recusado') await this.#options.orders.refused()
    return wamid
  }

  async #sendAll(
    number: OficialNumber,
    message: OutboundMessage,
    { recipient, begunBefore, parts }: Attempt & { readonly parts: readonly MetaPart[] },
  ): Promise<string | null> {
    const waitMs = begunBefore ? this.#earlierSessionMs() : 0
    let first: string | null = null
    for (const [index, part] of parts.entries()) {
      const mark = markFor(message, index)
      const sent = await this.#sentBefore(mark, index === 0 ? waitMs : 0)
      const wamid = sent === null ? await this.#request(number, { recipient, mark, part }) : sent.wamid
      if (index === 0) first = wamid
    }
    return first
  }

  /** Sends the code of an order with the items and sums of the order. Unless it was sent, the code leaves as text. */
  async #sendOrder(
    number: OficialNumber,
    message: OutboundMessage,
    { recipient, begunBefore }: Attempt,
  ): Promise<OrderSent> {
    if (message.cobranca === undefined) return AS_TEXT
    const { confirmations } = this.#options
    const mark = orderMark(message.idExterno)
    // Meta also refuses a second order with the same reference.
    const mayBeSecond = begunBefore || confirmations.mayHaveLeft(mark)
    const before = await confirmations.wait(mark, begunBefore ? this.#earlierSessionMs() : 0)
    if (before?.tipo === 'saiu') return before
    const body = before === null ? await this.#orderBody(message, message.cobranca) : null
    if (body === null) return AS_TEXT
    try {
      return { tipo: 'saiu', wamid: await this.#request(number, { recipient, mark, part: { tipo: 'pronta', body } }) }
    } catch (error) {
      const tipo = afterOrderError(error)
      if (tipo === null) throw error
      return mayBeSecond ? AS_TEXT : { tipo }
    }
  }

  /** Null: the code leaves as text. */
  async #orderBody({ idExterno, texto }: OutboundMessage, pedidoId: string): Promise<object | null> {
    const { orders, host } = this.#options
    const order = orders.mayTry(idExterno) ? await host.findOrder(pedidoId, texto) : null
    return order === null ? null : buildOrderDetails(texto, order)
  }

  /** How long the webhook of a message that an earlier session sent may still take. */
  #earlierSessionMs(): number {
    return Math.max(0, this.#options.confirmationMs - (performance.now() - this.#startedAt))
  }

  async #sentBefore(mark: string, waitMs: number): Promise<{ readonly wamid: string | null } | null> {
    const result = await this.#options.confirmations.wait(mark, waitMs)
    if (result?.tipo !== 'recusada') return result
    throw new SendRefused(metaErrorText(result.code))
  }

  async #request(
    number: OficialNumber,
    { recipient, mark, part }: { readonly recipient: object; readonly mark: string; readonly part: MetaPart },
  ): Promise<string | null> {
    const { graph, confirmations, confirmationMs, host } = this.#options
    const content = part.tipo === 'pronta' ? part.body : part.body(await this.#upload(number, part))
    await this.#pacer.turn()
    if (!host.maySend()) throw new SendFailed(NO_CONNECTION_TEXT)
    confirmations.trying(mark)
    try {
      const reply = await graph.request({
        ...{ method: 'POST', path: `${number.telefoneId}/messages`, token: number.token, timeoutMs: TIMEOUT_MS },
        body: { messaging_product: 'whatsapp', ...recipient, ...content, biz_opaque_callback_data: mark },
      })
      const { data } = acceptedSchema.safeParse(reply)
      const wamid = data?.messages[0]?.id ?? null
      confirmations.sent(mark, wamid)
      return wamid
    } catch (error) {
      if (!(error instanceof MetaFailure) || error.tipo !== 'incerta') {
        confirmations.notSent(mark)
        throw error
      }
      const sent = await this.#sentBefore(mark, confirmationMs)
      if (sent === null) throw error
      return sent.wamid
    }
  }

  async #upload(number: OficialNumber, { url, file }: Extract<MetaPart, { tipo: 'arquivo' }>): Promise<string> {
    const stored = this.#uploads.get(url)
    if (stored !== undefined) return stored
    const id = await uploadMetaFile(this.#options.graph, number, file)
    this.#uploads.set(url, id)
    return id
  }
}

const PHONE_NUMBER = /^\+?\d{1,15}$/
const OTHER_CONNECTOR_ADDRESS = /^(\d+)(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/
const NO_NUMBER_TEXT =
  'Não sabemos o número deste cliente, e a API oficial só chega a quem tem número conhecido. Espere que ele escreva.'

/**
 * Builds Meta's recipient: a phone number, or the id of a customer who hides it. An address of another connector is
 * resolved to its known number. Throws `SendRefused` without a number.
 */
async function resolveRecipient(address: string, phoneOf: SessionHost['phoneOf']): Promise<object> {
  if (!PHONE_NUMBER.test(address) && !address.includes('@')) return { recipient_type: 'individual', recipient: address }
  const [, number] = OTHER_CONNECTOR_ADDRESS.exec(address) ?? []
  const to = PHONE_NUMBER.test(address) ? address : (number ?? (await phoneOf(address)))
  if (to === '') throw new SendRefused(NO_NUMBER_TEXT)
  return { recipient_type: 'individual', to }
}
