import * as z from 'zod/mini'
import type { JournalEntry } from '@balcao/connector/port'
import {
  contactValues,
  findMetaContact,
  type MetaContact,
  metaContactSchema,
  metaPersonSchema,
  metaUserName,
  namedBy,
} from './identity.ts'
import { optionalPart } from './schemas.ts'

/** The envelope of Meta's webhook. The content of a message is parsed later, when it is delivered. */

export const webhookIdSchema = z.string().check(z.regex(/^[\x21-\x7e]{1,250}$/))
const partsSchema = z.optional(z.array(z.unknown()))

const webhookSchema = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(z.unknown()),
})
const webhookEntrySchema = z.object({ changes: z.array(z.unknown()) })
const webhookPartsSchema = z.object({
  contacts: partsSchema,
  messages: partsSchema,
  message_echoes: partsSchema,
  statuses: partsSchema,
})
const webhookChangeSchema = z.object({
  field: optionalPart(z.string()),
  value: z.extend(webhookPartsSchema, {
    metadata: z.object({ phone_number_id: z.string() }),
    /** Acts of another sender of this number, such as Meta's agent. */
    standby: optionalPart(webhookPartsSchema),
  }),
})
const webhookMessageSchema = z.looseObject({
  ...metaPersonSchema.shape,
  id: webhookIdSchema,
  group_id: optionalPart(z.string()),
})
type WebhookMessage = z.output<typeof webhookMessageSchema>
/** An echo in standby wraps the request that the sender made. */
const standbyEchoSchema = z.looseObject({ id: webhookIdSchema, message: optionalPart(z.looseObject({})) })
const webhookStatusSchema = z.object({
  id: webhookIdSchema,
  status: z.enum(['sent', 'delivered', 'read', 'played', 'failed']),
  biz_opaque_callback_data: z.optional(z.string()),
  recipient_type: optionalPart(z.string()),
  recipient_id: optionalPart(z.string()),
  recipient_user_id: optionalPart(z.string()),
  recipient_parent_user_id: optionalPart(z.string()),
  errors: optionalPart(partsSchema),
})
const webhookErrorSchema = z.object({ code: z.coerce.number() })

/** The optional fields are absent in entries of older versions. */
export const journalEntrySchema = z.discriminatedUnion('tipo', [
  z.object({
    tipo: z.literal('mensagem'),
    mensagem: z.unknown(),
    nome: z.string(),
    usuario: z.optional(z.string()),
    /** Further values that name the person, from `contacts`. */
    pessoa: z.optional(z.array(z.string())),
    deMim: z.boolean(),
    /** Of a conversa that Meta's agent serves. */
    agente: z.optional(z.boolean()),
  }),
  z.object({
    tipo: z.literal('status'),
    status: z.enum(['sent', 'delivered', 'read', 'failed']),
    idExterno: z.string(),
    codigo: z.nullable(z.number()),
    wamid: z.optional(z.string()),
    pessoa: z.optional(z.array(z.string())),
  }),
])
export type WebhookEvent = z.output<typeof journalEntrySchema>

/** Bytes of JSON. A text of Meta has at most 4,096 characters. */
const ENTRY_MAX_BYTES = 100_000

/**
 * All entries for this number, in order. An unreadable entry, or one of more than 100 KB, is skipped without losing
 * the others.
 */
export function parseWebhook(body: unknown, telefoneId: string): JournalEntry[] {
  return webhookChanges(body, telefoneId)
    .flatMap(({ field, value }) => [
      ...(field === 'standby' ? parseStandby(value) : parseParts(value)),
      ...(value.standby === undefined ? [] : parseStandby(value.standby)),
    ])
    .filter(({ valor }) => Buffer.byteLength(valor) <= ENTRY_MAX_BYTES)
}

/** The changes for this number. Empty for a body that is not a WhatsApp webhook. */
export function webhookChanges(body: unknown, telefoneId: string): z.output<typeof webhookChangeSchema>[] {
  const webhook = webhookSchema.safeParse(body)
  if (!webhook.success) return []
  return parseAll(webhookEntrySchema, webhook.data.entry)
    .flatMap(({ changes }) => parseAll(webhookChangeSchema, changes))
    .filter(({ value }) => value.metadata.phone_number_id === telefoneId)
}

type WebhookParts = z.output<typeof webhookPartsSchema>

function parseParts({ contacts: written, messages, message_echoes: echoes, statuses }: WebhookParts): JournalEntry[] {
  const contacts = parseAll(metaContactSchema, written)
  return [
    ...parseMessages(messages).map((mensagem) => messageRow('m', mensagem, { contacts, deMim: false })),
    ...parseMessages(echoes).map((mensagem) => messageRow('m', mensagem, { contacts, deMim: true })),
    ...parseAll(webhookStatusSchema, statuses).flatMap((status) => parseStatus(status, contacts)),
  ]
}

/** Statuses in standby are of the agent's messages. */
function parseStandby({ contacts: written, messages, message_echoes: echoes }: WebhookParts): JournalEntry[] {
  const contacts = parseAll(metaContactSchema, written)
  const sent = parseAll(standbyEchoSchema, echoes).map(({ message, ...echo }) => ({ ...message, ...echo }))
  return [
    ...parseMessages(messages).map((mensagem) => messageRow('e', mensagem, { contacts, deMim: false, agente: true })),
    ...parseMessages(sent).map((mensagem) => messageRow('e', mensagem, { contacts, deMim: true, agente: true })),
  ]
}

/** Messages of a group are never answered. */
const parseMessages = (values: readonly unknown[] | undefined): WebhookMessage[] =>
  parseAll(webhookMessageSchema, values).filter(({ group_id: group }) => group === undefined)

interface MessageFrame {
  readonly contacts: readonly MetaContact[]
  readonly deMim: boolean
  readonly agente?: boolean
}

function messageRow(prefix: string, mensagem: WebhookMessage, { contacts, deMim, agente }: MessageFrame): JournalEntry {
  const contact = findMetaContact(namedBy(mensagem, deMim), contacts)
  const pessoa = contact === undefined ? [] : contactValues(contact)
  const usuario = metaUserName(contact)
  return journalRow(`${prefix}:${mensagem.id}`, {
    ...{ tipo: 'mensagem', mensagem, deMim },
    nome: deMim ? '' : ((contact ?? onlyOne(contacts))?.profile?.name ?? ''),
    ...(usuario === undefined ? {} : { usuario }),
    ...(pessoa.length === 0 ? {} : { pessoa }),
    ...(agente === true ? { agente } : {}),
  })
}

const onlyOne = <T>(values: readonly T[]): T | undefined => (values.length === 1 ? values[0] : undefined)

/** Only of our own messages: another program may send for the same number. */
function parseStatus(parsed: z.output<typeof webhookStatusSchema>, contacts: readonly MetaContact[]): JournalEntry[] {
  const { id: wamid, status: reported, biz_opaque_callback_data: idExterno, errors } = parsed
  if (idExterno === undefined) return []
  const codigo = parseAll(webhookErrorSchema, errors)[0]?.code ?? null
  const status = reported === 'played' ? 'read' : reported
  const pessoa = parsed.recipient_type === 'group' ? [] : recipientValues(parsed, contacts)
  return [
    journalRow(`s:${reported}:${wamid}`, {
      ...{ tipo: 'status', status, idExterno, codigo, wamid },
      ...(pessoa.length < 2 ? {} : { pessoa }),
    }),
  ]
}

function recipientValues(
  {
    recipient_id: number,
    recipient_user_id: id,
    recipient_parent_user_id: parent,
  }: z.output<typeof webhookStatusSchema>,
  contacts: readonly MetaContact[],
): string[] {
  const named = [number, id, parent].filter((value) => value !== undefined)
  const contact = findMetaContact(named, contacts)
  return [...new Set([...named, ...(contact === undefined ? [] : contactValues(contact))])]
}

const journalRow = (id: string, event: WebhookEvent): JournalEntry => ({ id, valor: JSON.stringify(event) })

/** The values that fit the schema. */
export function parseAll<S extends z.ZodMiniType>(schema: S, values: readonly unknown[] = []): z.output<S>[] {
  return values.flatMap((value) => {
    const parsed = schema.safeParse(value)
    return parsed.success ? [parsed.data] : []
  })
}
