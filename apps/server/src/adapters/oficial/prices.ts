import * as z from 'zod/mini'
import type { OficialPrice } from '#ports/oficial.ts'
import { markId } from './confirmations.ts'
import { metaTimestampSchema, optionalPart } from './schemas.ts'
import { parseAll, webhookChanges, webhookIdSchema } from './webhook-parse.ts'

const MENSAGEM_ID = z.uuid()

const pricedStatusSchema = z.object({
  id: webhookIdSchema,
  /** A message that failed costs nothing. */
  status: z.enum(['sent', 'delivered', 'read', 'played']),
  timestamp: metaTimestampSchema,
  biz_opaque_callback_data: optionalPart(z.string()),
  recipient_id: optionalPart(z.string()),
  recipient_user_id: optionalPart(z.string()),
  pricing: z.object({
    billable: optionalPart(z.boolean()),
    type: optionalPart(z.string()),
    category: z.string().check(z.regex(/^[A-Za-z][A-Za-z_-]{0,39}$/)),
  }),
  conversation: optionalPart(z.object({ origin: optionalPart(z.object({ type: z.string() })) })),
})
type PricedStatus = z.output<typeof pricedStatusSchema>

/**
 * The prices in the statuses of this number, one for each status. A status of another program's message counts only
 * until its delivery, because its age is unknown later.
 */
export function parsePrices(body: unknown, telefoneId: string): OficialPrice[] {
  return webhookChanges(body, telefoneId)
    .flatMap(({ field, value }) => (field === 'standby' ? [] : parseAll(pricedStatusSchema, value.statuses)))
    .map((status) => ({ status: status.status, price: toPrice(status) }))
    .filter(({ status, price }) => price.mensagemId !== null || status === 'sent' || status === 'delivered')
    .map(({ price }) => price)
}

function toPrice({ id: wamid, pricing, conversation, timestamp: at, ...status }: PricedStatus): OficialPrice {
  const mark = MENSAGEM_ID.safeParse(markId(status.biz_opaque_callback_data ?? ''))
  return {
    ...{ wamid, at, mensagemId: mark.data ?? null },
    recipient: status.recipient_id ?? status.recipient_user_id ?? '',
    ...{ billable: pricing.billable, type: pricing.type },
    category: pricing.category.toLowerCase().replaceAll('-', '_'),
    conversationOrigin: conversation?.origin?.type,
  }
}
