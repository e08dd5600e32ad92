import * as z from 'zod/mini'
import type { JournalEntry } from '@balcao/connector/port'
import { optionalPart } from './optional-part.ts'

/** The envelope of Meta's webhook. The content of a message is parsed later, when it is delivered. */

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
  const aviso = webhookSchema.safeParse(body)
  if (!aviso.success) return []
  return parseAll(webhookEntrySchema, aviso.data.entry)
    .flatMap(({ changes }) => parseAll(webhookChangeSchema, changes))
    .flatMap(({ value }) => {
      if (value.metadata.phone_number_id !== telefoneId) return []
      const contatos = parseAll(webhookContactSchema, value.contacts)
      return [
        ...parseAll(webhookMessageSchema, value.messages).map((mensagem) =>
          journalRow(`m:${mensagem.id}`, {
            tipo: 'mensagem',
            mensagem,
            nome: nameOf(mensagem, contatos),
            deMim: false,
          }),
        ),
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
  status,
  biz_opaque_callback_data: idExterno,
  errors,
}: z.output<typeof webhookStatusSchema>) {
  if (idExterno === undefined) return []
  const codigo = parseAll(webhookErrorSchema, errors)[0]?.code ?? null
  const until = status === 'played' ? 'read' : status
  return [journalRow(`s:${status}:${wamid}`, { tipo: 'status', status: until, idExterno, codigo, wamid })]
}

function nameOf(
  { from, from_user_id: deUsuario }: z.output<typeof webhookMessageSchema>,
  contatos: readonly WebhookContact[],
): string {
  const dele = contatos.find(
    ({ wa_id: numero, user_id: usuario }) =>
      (numero !== undefined && numero === from) || (usuario !== undefined && usuario === deUsuario),
  )
  return (dele ?? (contatos.length === 1 ? contatos[0] : undefined))?.profile?.name ?? ''
}

const journalRow = (nome: string, news: WebhookEvent): JournalEntry => ({ id: nome, valor: JSON.stringify(news) })

function parseAll<S extends z.ZodMiniType>(schema: S, values: readonly unknown[] = []): z.output<S>[] {
  return values.flatMap((valor) => {
    const parsed = schema.safeParse(valor)
    return parsed.success ? [parsed.data] : []
  })
}
