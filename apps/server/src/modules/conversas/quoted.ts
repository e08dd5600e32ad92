import * as z from 'zod/mini'
import { type Midia, midiaSchema } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/mensagem-summary'
import type { Tx } from '#db/transaction.ts'
import type { QuotedMessage, InboundMessage } from '@balcao/connector/port'
import { canonicalAddress } from './address.ts'

export const QUOTE_MAX = 300

export function quoteText(mensagem: { readonly texto: string; readonly midia?: Midia }): string {
  return summarizeMensagem(mensagem).slice(0, QUOTE_MAX).toWellFormed()
}

const quotedSchema = z.object({
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  direcao: z.enum(['entrada', 'saida']),
})

/** Searches only the conversas of this contato, so a customer cannot quote a message sent to another one. */
const FIND_QUOTED_SQL = `
select m.texto, m.midia, m.direcao from enderecos e
join conversas v on v.conta_id = e.conta_id and v.contato_id = e.contato_id
join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id and m.canal = $3 and m.id_externo = $4
where e.conta_id = $1 and e.endereco = any ($2::text[]) limit 1`

export interface QuotedSearch {
  readonly contaId: string
  readonly channel: string
  readonly customer: Pick<InboundMessage, 'telefone' | 'endereco' | 'outrosEnderecos'>
  readonly serviceId: string
}

export async function findQuoted(
  tx: Tx,
  { contaId, channel, customer, serviceId }: QuotedSearch,
): Promise<QuotedMessage | null> {
  const { telefone, endereco, outrosEnderecos = [] } = customer
  const addresses = [...new Set([canonicalAddress(telefone, endereco), endereco, ...outrosEnderecos])]
  const [line] = await tx.rows(quotedSchema, FIND_QUOTED_SQL, [contaId, addresses, channel, serviceId])
  if (line === undefined) return null
  const { texto, midia, direcao } = line
  return { texto: quoteText({ texto, ...(midia === null ? {} : { midia }) }), nossa: direcao === 'saida' }
}
