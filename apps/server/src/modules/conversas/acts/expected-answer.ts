import type { Tx } from '#db/transaction.ts'

/** Stores whether an answer of this contato may cancel a scheduled message. The contato must be locked. */
export async function updateExpectsAnswer(tx: Tx, contaId: string, contatoId: string): Promise<void> {
  await tx.query(
    `update contatos c set tem_agendada = n.tem from (
       select exists (
         select 1 from agendadas a join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
         where a.conta_id = $1 and v.contato_id = $2 and a.estado = 'marcada' and a.cancelar_se_responder) as tem
     ) n where c.conta_id = $1 and c.id = $2 and c.tem_agendada <> n.tem`,
    [contaId, contatoId],
  )
}
