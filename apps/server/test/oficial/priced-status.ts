import { randomUUID } from 'node:crypto'

interface PricedMessage {
  readonly wamid?: string
  readonly status?: 'sent' | 'delivered' | 'read' | 'failed'
  /** Mark of our message. Null: another program sent it. */
  readonly mark?: string | null
  readonly at?: string
  readonly to?: string
  readonly pricing?: object
  readonly conversation?: object
}

export const CHARGED = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' }
export const FREE = { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' }

/** A status of Meta with its price, as a webhook carries it. */
export function pricedStatus({
  wamid = `wamid.${randomUUID()}`,
  status = 'sent',
  mark = randomUUID(),
  at = new Date().toISOString(),
  to = '5511988887777',
  pricing = CHARGED,
  conversation,
}: PricedMessage = {}): object {
  return {
    ...{ id: wamid, status, recipient_id: to, timestamp: String(Math.floor(Date.parse(at) / 1_000)), pricing },
    ...(mark === null ? {} : { biz_opaque_callback_data: mark }),
    ...(conversation === undefined ? {} : { conversation }),
  }
}
