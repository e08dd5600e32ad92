import * as z from 'zod/mini'
import type { JournalEntry } from '@balcao/connector/port'

/** The envelope of Meta's webhook. The content of a message is parsed later, when it is delivered. */

const UNDEFINED_SCHEMA = z.pipe(
  z.unknown(),
  z.transform((): undefined => undefined),
)

/** Parses an optional part. An unknown shape becomes undefined, so the rest is still read. */
export function optionalPart<S extends z.ZodMiniType>(schema: S) {
  return z.optional(z.union([schema, UNDEFINED_SCHEMA]))
}

const idSchema = z.string().check(z.regex(/^[\x21-\x7e]{1,250}$/))
const partsSchema = z.optional(z.array(z.unknown()))

const webhookSchema = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(z.unknown()),
})
const webhookEntrySchema = z.object({ changes: z.array(z.unknown()) })
const webhookChangeSchema = z.object({
  value: z.object({
    metadata: z.object({ phone_number_id: z.string() }),
    contacts: partsSchema,
    messages: partsSchema,
    message_echoes: partsSchema,
    statuses: partsSchema,
  }),
})
const webhookContactSchema = z.object({
  wa_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
  profile: z.optional(z.object({ name: z.optional(z.string()) })),
})
const webhookMessageSchema = z.looseObject({
  id: idSchema,
  from: z.optional(z.string()),
  from_user_id: z.optional(z.string()),
})
const webhookStatusSchema = z.object({
  id: idSchema,
  status: z.enum(['sent', 'delivered', 'read', 'played', 'failed']),
  biz_opaque_callback_data: z.optional(z.string()),
  errors: optionalPart(partsSchema),
})
const webhookErrorSchema = z.object({ code: z.coerce.number() })
type WebhookContact = z.output<typeof webhookContactSchema>

export const journalEntrySchema = z.discriminatedUnion('tipo', [
  z.object({ tipo: z.literal('mensagem'), mensagem: z.unknown(), nome: z.string(), deMim: z.boolean() }),
  z.object({
    tipo: z.literal('status'),
    status: z.enum(['sent', 'delivered', 'read', 'failed']),
    idExterno: z.string(),
    codigo: z.nullable(z.number()),
    /** Absent in entries of older versions. */
    wamid: z.optional(z.string()),
  }),
])
export type WebhookEvent = z.output<typeof journalEntrySchema>

/** All entries for this number, in order. An unreadable entry is skipped without losing the others. */
export function parseWebhook(body: unknown, telefoneId: string): JournalEntry[] {
  const webhook = webhookSchema.safeParse(body)
  if (!webhook.success) return []
  return parseAll(webhookEntrySchema, webhook.data.entry)
    .flatMap(({ changes }) => parseAll(webhookChangeSchema, changes))
    .filter(({ value }) => value.metadata.phone_number_id === telefoneId)
    .flatMap(({ value }) => {
      const contacts = parseAll(webhookContactSchema, value.contacts)
      return [
        ...parseAll(webhookMessageSchema, value.messages).map((mensagem) => {
          const nome = nameOf(mensagem, contacts)
          return journalRow(`m:${mensagem.id}`, { tipo: 'mensagem', mensagem, nome, deMim: false })
        }),
        ...parseAll(webhookMessageSchema, value.message_echoes).map((mensagem) =>
          journalRow(`m:${mensagem.id}`, { tipo: 'mensagem', mensagem, nome: '', deMim: true }),
        ),
        ...parseAll(webhookStatusSchema, value.statuses).flatMap(parseStatus),
      ]
    })
}

/** Only of our own messages: another program may send for the same number. */
function parseStatus({
  id: wamid,
  status: reported,
  biz_opaque_callback_data: idExterno,
  errors,
}: z.output<typeof webhookStatusSchema>): JournalEntry[] {
  if (idExterno === undefined) return []
  const codigo = parseAll(webhookErrorSchema, errors)[0]?.code ?? null
  const status = reported === 'played' ? 'read' : reported
  return [journalRow(`s:${reported}:${wamid}`, { tipo: 'status', status, idExterno, codigo, wamid })]
}

function nameOf(
  { from, from_user_id: userId }: z.output<typeof webhookMessageSchema>,
  contacts: readonly WebhookContact[],
): string {
  const sender = contacts.find(
    ({ wa_id: number, user_id: id }) =>
      (number !== undefined && number === from) || (id !== undefined && id === userId),
  )
  return (sender ?? (contacts.length === 1 ? contacts[0] : undefined))?.profile?.name ?? ''
}

const journalRow = (id: string, event: WebhookEvent): JournalEntry => ({ id, valor: JSON.stringify(event) })

function parseAll<S extends z.ZodMiniType>(schema: S, values: readonly unknown[] = []): z.output<S>[] {
  return values.flatMap((value) => {
    const parsed = schema.safeParse(value)
    return parsed.success ? [parsed.data] : []
  })
}
