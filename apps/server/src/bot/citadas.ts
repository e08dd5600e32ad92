import * as z from 'zod/mini'
import { type Midia, midiaSchema } from '@balcao/contract/entities/mensagem'
import { resumoDaMensagem } from '@balcao/contract/resumo'
import type { Tx } from '#db/transaction.ts'
import type { Citada, InboundMessage } from '#ports/messaging.ts'
import { enderecoCanonico } from './endereco.ts'

export const CITACAO_MAXIMA = 300

export function resumoCitado(mensagem: { readonly texto: string; readonly midia?: Midia }): string {
  return resumoDaMensagem(mensagem).slice(0, CITACAO_MAXIMA).toWellFormed()
}

const citadaSchema = z.object({
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  direcao: z.enum(['entrada', 'saida']),
})

/** Searches only the conversas of this contato, so a customer cannot quote a message sent to another one. */
const ACHAR = `
select m.texto, m.midia, m.direcao from enderecos e
join conversas v on v.conta_id = e.conta_id and v.contato_id = e.contato_id
join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id and m.canal = $3 and m.id_externo = $4
where e.conta_id = $1 and e.endereco = any ($2::text[]) limit 1`

export interface ProcuraDeCitada {
  readonly contaId: string
  readonly canal: string
  readonly cliente: Pick<InboundMessage, 'telefone' | 'endereco' | 'outrosEnderecos'>
  readonly alvo: string
}

export async function findCitada(tx: Tx, { contaId, canal, cliente, alvo }: ProcuraDeCitada): Promise<Citada | null> {
  const { telefone, endereco, outrosEnderecos = [] } = cliente
  const enderecos = [...new Set([enderecoCanonico(telefone, endereco), endereco, ...outrosEnderecos])]
  const [linha] = await tx.rows(citadaSchema, ACHAR, [contaId, enderecos, canal, alvo])
  if (linha === undefined) return null
  const { texto, midia, direcao } = linha
  return { texto: resumoCitado({ texto, ...(midia === null ? {} : { midia }) }), nossa: direcao === 'saida' }
}
