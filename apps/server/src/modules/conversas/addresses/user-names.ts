import type { Tx } from '#db/transaction.ts'

/**
 * Stores the user name of a contato and takes it from the contato that had it before, because the service lets people
 * change and reuse user names. Locks in id order, as every transaction that locks several contatos does.
 */
export async function setUserName(tx: Tx, contaId: string, contatoId: string, userName: string): Promise<void> {
  const values = [contaId, contatoId, userName]
  await tx.query(
    `select 1 from contatos where conta_id = $1 and (id = $2 or nome_usuario = $3)
     order by id for no key update`,
    values,
  )
  await tx.query(`update contatos set nome_usuario = '' where conta_id = $1 and nome_usuario = $3 and id <> $2`, values)
  await tx.query('update contatos set nome_usuario = $3 where conta_id = $1 and id = $2', values)
}
