import { contaId, sql, value } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

const contatoId = value('contatoId', 'uuid')
const userName = value('userName', 'text')

const lockOwners = noRows(
  'conversas: lock owners of user name',
  sql`select 1 from contatos where conta_id = ${contaId} and (id = ${contatoId} or nome_usuario = ${userName})
      order by id for no key update`,
)

const takeFromOther = noRows(
  'conversas: take user name from other',
  sql`update contatos set nome_usuario = ''
      where conta_id = ${contaId} and nome_usuario = ${userName} and id <> ${contatoId}`,
)

const storeUserName = noRows(
  'conversas: store user name',
  sql`update contatos set nome_usuario = ${userName} where conta_id = ${contaId} and id = ${contatoId}`,
)

interface UserNameChange {
  readonly contaId: string
  readonly contatoId: string
  readonly userName: string
}

/**
 * Stores the user name of a contato and takes it from the contato that had it before, because the service lets people
 * change and reuse user names. Locks in id order, as every transaction that locks several contatos does.
 */
export async function setUserName(tx: Tx, change: UserNameChange): Promise<void> {
  await lockOwners(tx, change)
  await takeFromOther(tx, change)
  await storeUserName(tx, change)
}
