import * as z from 'zod/mini'
import type { Alteracao } from '#ports/messaging.ts'
import { instanteSchema } from './instante.ts'
import { pessoaDe, pessoaSchema } from './pessoa.ts'

const comum = { ...pessoaSchema.shape, timestamp: instanteSchema }
const legenda = z.optional(z.object({ caption: z.optional(z.string()) }))
const original = z.string()

const alteracaoSchema = z.discriminatedUnion('type', [
  z.object({
    ...comum,
    type: z.literal('reaction'),
    reaction: z.object({ message_id: z.string(), emoji: z.optional(z.string()) }),
  }),
  // Meta sends the next two only for numbers that are also used on a phone.
  z.object({ ...comum, type: z.literal('revoke'), revoke: z.object({ original_message_id: original }) }),
  z.object({
    ...comum,
    type: z.literal('edit'),
    edit: z.object({
      original_message_id: original,
      message: z.object({
        text: z.optional(z.object({ body: z.string() })),
        ...{ image: legenda, video: legenda, document: legenda },
      }),
    }),
  }),
])
type Lida = z.output<typeof alteracaoSchema>

export interface AlteracaoDaMeta {
  readonly alteracao: Alteracao
  readonly em: Date
}

export function lerAlteracao(
  bruta: unknown,
  { deMim, chegouEm }: { readonly deMim: boolean; readonly chegouEm: Date },
): AlteracaoDaMeta | null {
  const lida = alteracaoSchema.safeParse(bruta)
  const pessoa = lida.success ? pessoaDe(lida.data, deMim) : null
  if (!lida.success || pessoa === null) return null
  return { alteracao: { ...pessoa, ...mudancaDe(lida.data), deMim }, em: lida.data.timestamp ?? chegouEm }
}

function mudancaDe(lida: Lida): Pick<Alteracao, 'alvo' | 'mudanca'> {
  switch (lida.type) {
    case 'reaction': {
      const { message_id: alvo, emoji = '' } = lida.reaction
      return { alvo, mudanca: { tipo: 'reacao', emoji } }
    }
    case 'revoke':
      return { alvo: lida.revoke.original_message_id, mudanca: { tipo: 'apagada' } }
    case 'edit': {
      const { text, image, video, document } = lida.edit.message
      const texto = text?.body ?? (image ?? video ?? document)?.caption ?? ''
      return { alvo: lida.edit.original_message_id, mudanca: { tipo: 'edicao', texto } }
    }
    default:
      return lida satisfies never
  }
}
