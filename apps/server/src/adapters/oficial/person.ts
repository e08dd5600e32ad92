import * as z from 'zod/mini'
import type { InboundMessage } from '@balcao/connector/port'

/** Sender of a message, or its recipient when it was typed on the phone. */
export const metaPersonSchema = z.object({
  from: z.optional(z.string()),
  from_user_id: z.optional(z.string()),
  to: z.optional(z.string()),
})

export type MetaPerson = Pick<InboundMessage, 'endereco' | 'outrosEnderecos' | 'telefone'>

export function metaPersonOf(
  { from, to, from_user_id: id }: z.output<typeof metaPersonSchema>,
  deMim: boolean,
): MetaPerson | null {
  const numero = deMim ? to : from
  // Meta may send a user id that is valid only for this business instead of the number.
  const usuario = deMim ? undefined : id
  const endereco = numero ?? usuario
  if (endereco === undefined) return null
  return {
    endereco,
    telefone: (numero ?? '').replace(/\D/g, ''),
    ...(numero !== undefined && usuario !== undefined ? { outrosEnderecos: [usuario] } : {}),
  }
}
