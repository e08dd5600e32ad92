import * as z from 'zod/mini'
import type { MessageChange } from '@balcao/connector/port'
import { metaTimestampSchema } from './instant.ts'
import { metaPersonOf, metaPersonSchema } from './person.ts'

const commonShape = { ...metaPersonSchema.shape, timestamp: metaTimestampSchema }
const captionSchema = z.optional(z.object({ caption: z.optional(z.string()) }))
const originalIdSchema = z.string()

const changeSchema = z.discriminatedUnion('type', [
  z.object({
    ...commonShape,
    type: z.literal('reaction'),
    reaction: z.object({ message_id: z.string(), emoji: z.optional(z.string()) }),
  }),
  // Meta sends the next two only for numbers that are also used on a phone.
  z.object({ ...commonShape, type: z.literal('revoke'), revoke: z.object({ original_message_id: originalIdSchema }) }),
  z.object({
    ...commonShape,
    type: z.literal('edit'),
    edit: z.object({
      original_message_id: originalIdSchema,
      message: z.object({
        text: z.optional(z.object({ body: z.string() })),
        ...{ image: captionSchema, video: captionSchema, document: captionSchema },
      }),
    }),
  }),
])
type ParsedChange = z.output<typeof changeSchema>

export interface MetaChange {
  readonly change: MessageChange
  readonly at: Date
}

export function parseMetaChange(
  raw: unknown,
  { deMim, chegouEm }: { readonly deMim: boolean; readonly chegouEm: Date },
): MetaChange | null {
  const lida = changeSchema.safeParse(raw)
  const pessoa = lida.success ? metaPersonOf(lida.data, deMim) : null
  if (!lida.success || pessoa === null) return null
  return { change: { ...pessoa, ...changeOf(lida.data), deMim }, at: lida.data.timestamp ?? chegouEm }
}

function changeOf(parsed: ParsedChange): Pick<MessageChange, 'alvo' | 'mudanca'> {
  switch (parsed.type) {
    case 'reaction': {
      const { message_id: alvo, emoji = '' } = parsed.reaction
      return { alvo, mudanca: { tipo: 'reacao', emoji } }
    }
    case 'revoke':
      return { alvo: parsed.revoke.original_message_id, mudanca: { tipo: 'apagada' } }
    case 'edit': {
      const { text, image, video, document } = parsed.edit.message
      const texto = text?.body ?? (image ?? video ?? document)?.caption ?? ''
      return { alvo: parsed.edit.original_message_id, mudanca: { tipo: 'edicao', texto } }
    }
    default:
      return parsed satisfies never
  }
}
