import * as z from 'zod/mini'
import type { Alteracao } from '#ports/messaging.ts'
import { pessoaDe, pessoaSchema } from './pessoa.ts'

const reacaoSchema = z.extend(pessoaSchema, {
  timestamp: z.coerce.number(),
  type: z.literal('reaction'),
  /** Without an emoji it is taken back. */
  reaction: z.object({ message_id: z.string(), emoji: z.optional(z.string()) }),
})

/** A reaction to a message of before, theirs or ours; null for everything else. */
export function lerReacao(
  bruta: unknown,
  { deMim }: { readonly deMim: boolean },
): { readonly alteracao: Alteracao; readonly em: Date } | null {
  const lida = reacaoSchema.safeParse(bruta)
  const pessoa = lida.success ? pessoaDe(lida.data, deMim) : null
  if (!lida.success || pessoa === null) return null
  const { reaction, timestamp } = lida.data
  const mudanca = { tipo: 'reacao', emoji: reaction.emoji ?? '' } as const
  return { alteracao: { ...pessoa, alvo: reaction.message_id, deMim, mudanca }, em: new Date(timestamp * 1000) }
}
