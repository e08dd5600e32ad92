import { LRUCache } from 'lru-cache'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import { metaErrorText } from './graph/errors.ts'
import type { MetaOrders } from './refusals/orders.ts'
import type { MetaPayment } from './refusals/payment.ts'
import type { WebhookEvent } from './webhook-parse.ts'

export type MetaSendResult =
  | { readonly tipo: 'saiu'; readonly wamid: string | null }
  | { readonly tipo: 'recusada'; readonly code: number | null }

/** Longer than the queue's back-off; a later attempt was started by a person and is a new one. */
const REFUSAL_MS = 90_000
const LIMITS = { maxSize: 5_000, sizeCalculation: () => 1 }

/**
 * Collects Meta's status webhooks for messages with an unknown result. The Cloud API has no idempotency key but
 * returns our mark with every status. Waiting a moment may show that the first attempt succeeded.
 */
export class MetaConfirmations {
  readonly #results = new LRUCache<string, MetaSendResult>(LIMITS)
  readonly #uncertain = new LRUCache<string, true>(LIMITS)
  /** wamids that Meta refused, by mark. Any further status with such a wamid is outdated. */
  readonly #refused = new LRUCache<string, string>(LIMITS)
  readonly #waiting = new Map<string, (result: MetaSendResult | null) => void>()

  trying(mark: string): void {
    this.#uncertain.set(mark, true)
  }

  /** An attempt had no answer, and no status told its result. */
  mayHaveLeft(mark: string): boolean {
    return this.#uncertain.has(mark)
  }

  notSent(mark: string): void {
    this.#uncertain.delete(mark)
  }

  sent(mark: string, wamid: string | null): void {
    if (wamid !== null && this.#refused.get(mark) === wamid) return
    this.#remember(mark, { tipo: 'saiu', wamid: wamid ?? this.#wamidOf(mark) })
  }

  /** Returns false for an old status: the message was sent again under another wamid since. */
  failed(mark: string, code: number | null, wamid: string | null): boolean {
    const current = this.#wamidOf(mark)
    if (wamid !== null && (this.#refused.get(mark) === wamid || (current !== null && current !== wamid))) return false
    if (wamid !== null) this.#refused.set(mark, wamid)
    this.#results.delete(mark)
    // Kept only when an attempt waits for it; otherwise a resend may try again.
    if (this.#uncertain.has(mark) || this.#waiting.has(mark))
      this.#remember(mark, { tipo: 'recusada', code }, REFUSAL_MS)
    return true
  }

  /**
   * Resolves with the known result, or with null after `ms`. A refusal is returned only once; the next attempt
   * starts fresh.
   */
  async wait(mark: string, ms: number): Promise<MetaSendResult | null> {
    const result = await this.#resultWithin(mark, ms)
    if (result?.tipo === 'recusada') this.#results.delete(mark)
    return result
  }

  cancel(): void {
    for (const resolve of this.#waiting.values()) resolve(null)
  }

  async #resultWithin(mark: string, ms: number): Promise<MetaSendResult | null> {
    const known = this.#results.get(mark) ?? null
    // Refused by Meta and not tried since, so it was not sent.
    const isOver = this.#refused.has(mark) && !this.#uncertain.has(mark)
    if (known !== null || ms <= 0 || isOver) return known
    const { promise, resolve } = Promise.withResolvers<MetaSendResult | null>()
    const timer = setTimeout(() => resolve(null), ms)
    this.#waiting.set(mark, resolve)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(mark)
    }
  }

  #remember(mark: string, result: MetaSendResult, ttl = 0): void {
    this.#results.set(mark, result, { ttl })
    this.#uncertain.delete(mark)
    this.#waiting.get(mark)?.(result)
  }

  #wamidOf(mark: string): string | null {
    const result = this.#results.get(mark)
    return result?.tipo === 'saiu' ? result.wamid : null
  }
}

export function createStatusHandler(
  host: Pick<SessionHost, 'receipt' | 'undelivered' | 'reactionUndelivered'>,
  confirmations: MetaConfirmations,
  payment: Pick<MetaPayment, 'refused' | 'sent'>,
  orders: Pick<MetaOrders, 'refusedLater'>,
) {
  return async (event: Extract<WebhookEvent, { tipo: 'status' }>): Promise<void> => {
    const { idExterno: mark, status, codigo: code, wamid = null } = event
    const id = markId(mark)
    if (status === 'failed') {
      if (!confirmations.failed(mark, code, wamid)) return
      await payment.refused(code, 'status')
      if (mark === orderMark(id)) await orders.refusedLater(id, code)
      const reaction = markReaction(mark)
      if (reaction !== null) return host.reactionUndelivered(reaction, metaErrorText(code))
      return host.undelivered(id, metaErrorText(code))
    }
    confirmations.sent(mark, wamid)
    await payment.sent(id)
    if (status !== 'sent') host.receipt(id, status === 'read' ? 'lida' : 'entregue')
  }
}

const REACTION_MARK = 'reacao'
const ORDER_MARK = 'pedido'

/**
 * The mark of each request of a message; the first is the message's own id. A reaction's mark also contains its
 * target and emoji.
 */
export function markFor({ idExterno, reacao }: Pick<OutboundMessage, 'idExterno' | 'reacao'>, part: number): string {
  if (reacao !== undefined) return [idExterno, REACTION_MARK, reacao.emoji, reacao.alvo.id].join(':')
  return part === 0 ? idExterno : `${idExterno}:${part}`
}

/** The mark of an order with its items. As text the same message has its own mark, because it is another attempt. */
export function orderMark(idExterno: string): string {
  return `${idExterno}:${ORDER_MARK}`
}

/** The message's own id. */
export function markId(mark: string): string {
  return mark.split(':')[0] ?? mark
}

function markReaction(mark: string): { readonly serviceId: string; readonly emoji: string } | null {
  const [, tipo, emoji = '', ...target] = mark.split(':')
  return tipo === REACTION_MARK ? { serviceId: target.join(':'), emoji } : null
}
