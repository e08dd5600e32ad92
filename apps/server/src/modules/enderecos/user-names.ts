import { columns, sql } from '#db/statement/sql.ts'
import { inOrder, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

export interface UserNameChange {
  readonly contaId: string
  readonly contatoId: string
  readonly userName: string
}

const CHANGES = columns('i', { contaId: 'uuid', contatoId: 'uuid', userName: 'text' })

const takeFromOthers = noRows(
  'nomes-de-usuario-tomar',
  sql`update contatos c set nome_usuario = ''
      where (c.conta_id, c.id) in (
        select o.conta_id, o.id from ${CHANGES}
        join contatos o on o.conta_id = i.conta_id and o.nome_usuario = i.user_name and o.id <> i.contato_id
        for no key update of o skip locked
      )`,
  { prepared: true },
)

const storeFreeNames = noRows(
  'nomes-de-usuario-gravar',
  sql`update contatos c set nome_usuario = i.user_name from ${CHANGES}
      where c.conta_id = i.conta_id and c.id = i.contato_id and not exists (
        select 1 from contatos o where o.conta_id = i.conta_id and o.nome_usuario = i.user_name and o.id <> c.id
      )`,
  { prepared: true },
)

/**
 * Takes the names from their earlier contatos, because the service lets people change and reuse user names. A name
 * whose owner another transaction holds stays there: the next message contains it again.
 */
export async function storeUserNames(tx: Tx, changes: readonly UserNameChange[]): Promise<void> {
  // The last turn of a batch wins.
  const i = [...new Map(changes.map((change) => [`${change.contaId} ${change.userName}`, change])).values()]
  if (i.length > 0) await inOrder([takeFromOthers(tx, { i }), storeFreeNames(tx, { i })])
}
