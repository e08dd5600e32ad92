import * as z from 'zod/mini'
import type { OficialNumber } from '#ports/oficial.ts'
import type { Graph } from './client.ts'

const TIMEOUT_MS = 10_000

const metaNumberSchema = z.object({
  display_phone_number: z.optional(z.string()),
  verified_name: z.optional(z.string()),
})

/** Reads the number's display name, which proves that the token is valid. Throws `MetaFailure`. */
export async function fetchNumberName(graph: Graph, { telefoneId, token }: OficialNumber): Promise<string> {
  const path = `${telefoneId}?fields=display_phone_number,verified_name`
  const parsed = metaNumberSchema.parse(await graph.request({ method: 'GET', path, token, timeoutMs: TIMEOUT_MS }))
  const parts = [parsed.verified_name, parsed.display_phone_number].filter((part) => part !== undefined && part !== '')
  return parts.length === 0 ? telefoneId : parts.join(' · ')
}

/** Subscribes the app to this business's webhooks (POST) or unsubscribes it (DELETE). */
export async function setWebhookSubscription(
  graph: Graph,
  { contaWhatsappId, token }: OficialNumber,
  method: 'POST' | 'DELETE',
): Promise<void> {
  await graph.request({ method, path: `${contaWhatsappId}/subscribed_apps`, token, timeoutMs: TIMEOUT_MS })
}
