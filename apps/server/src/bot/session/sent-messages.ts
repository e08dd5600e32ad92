import * as z from 'zod/mini'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import type { OutboundMessage } from '@balcao/connector/port'
import { quotedOf, mensagemMarksSchema } from '#modules/conversas/index.ts'

const sentSchema = z.object({
  id: z.string(),
  endereco: z.string(),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  extras: z.nullable(mensagemMarksSchema),
})

export async function listSent(
  tx: Tx,
  contaId: string,
  { de, ate }: { readonly de: string; readonly ate: string },
): Promise<OutboundMessage[]> {
  const rows = await tx.rows(
    sentSchema,
    `select m.id, c.endereco, m.texto, m.midia, m.extras from mensagens m
     join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
     where m.conta_id = $1 and m.id between $2 and $3 and m.direcao = 'saida' and m.origem <> 'telefone'`,
    [contaId, de, ate],
  )
  return rows.map(({ id, midia, extras, ...rest }) => ({
    idExterno: id,
    ...rest,
    ...quotedOf(extras),
    ...(midia === null ? {} : { midia }),
  }))
}
