import * as z from 'zod/mini'
import type { InboundMessage } from '#ports/messaging.ts'

/** How Meta names who a message is from, or for whom it was typed on the phone. */
export const pessoaSchema = z.object({
  from: z.optional(z.string()),
  from_user_id: z.optional(z.string()),
  /** Only of what was typed on the phone: who it was for. */
  to: z.optional(z.string()),
})

export type Pessoa = Pick<InboundMessage, 'endereco' | 'outrosEnderecos' | 'telefone'>

/** Null when it names nobody. */
export function pessoaDe({ from, to, from_user_id: id }: z.output<typeof pessoaSchema>, deMim: boolean): Pessoa | null {
  const numero = deMim ? to : from
  // Meta may hide the number behind a name of the customer's at this business.
  const usuario = deMim ? undefined : id
  const endereco = numero ?? usuario
  if (endereco === undefined) return null
  return {
    endereco,
    telefone: (numero ?? '').replace(/\D/g, ''),
    ...(numero !== undefined && usuario !== undefined ? { outrosEnderecos: [usuario] } : {}),
  }
}
