import * as z from 'zod/mini'
import { EXCLUSAO_DIAS } from '@balcao/contract/administration'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { clearAuditNames, recordAuditoria } from '#modules/auditoria/index.ts'

const DAY_MS = 24 * 3_600_000
const BATCH_SIZE = 1_000

const listDeletedContas = manyRows(
  'retencao: list deleted contas',
  z.object({ id: z.string() }),
  sql`select id from contas where excluida_em <= ${value('deadline', 'timestamptz')}
        and id not in (select conta_id from privacidade where guarda_legal = true)
      order by excluida_em`,
)

const deleteConta = noRows('retencao: delete conta', sql`delete from contas where id = ${contaId}`)

/**
 * Every table with a `conta_id` that the working role may delete from, referencing tables first. Read from the
 * catalog, so new tables are included automatically. The role may not delete from `auditoria`.
 */
const listContaTables = manyRows(
  'retencao: list tables',
  z.object({ tabela: z.string() }),
  sql`
with recursive niveis (oid, nivel) as (
  select oid, 0 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  union
  select k.conrelid, n.nivel + 1 from niveis n
    join pg_constraint k on k.confrelid = n.oid and k.contype = 'f' and k.conrelid <> k.confrelid)
select quote_ident(c.relname) as tabela from niveis n
  join pg_class c on c.oid = n.oid
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'conta_id' and not a.attisdropped
where has_table_privilege(current_user, c.oid, 'DELETE')
group by c.relname order by max(n.nivel) desc, c.relname`,
)

/**
 * Erases contas deleted 30 days ago that are not under a legal hold: the rows of every table with a `conta_id`, the conta, then its files. Uses
 * small transactions; the conta is deleted last, so an interrupted erasure continues with the next run. Audit
 * records stay without names. Returns the number of deleted rows.
 */
export async function deleteExpiredContas(deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'files'>): Promise<number> {
  const { db, clock } = deps
  const deadline = new Date(clock.now().getTime() - EXCLUSAO_DIAS * DAY_MS)
  let deleted = 0
  for (const { id: contaId } of await db.read('*', (tx) => listDeletedContas(tx, { deadline }))) {
    await db.transaction('*', (tx) => clearAuditNames(tx, { contaId }))
    for (const { tabela } of await db.read('*', (tx) => listContaTables(tx, {}))) {
      for (;;) {
        const count = await db.transaction('*', (tx) => deleteSome(tx, tabela, contaId))
        if (count === 0) break
        deleted += count
      }
    }
    await db.transaction('*', async (tx) => {
      await deleteConta(tx, { contaId })
      const alvo = { id: contaId, nome: '' }
      await recordAuditoria(tx, deps, { acao: 'contaApagada', quem: null, alvo, detalhe: 'Prazo de 30 dias' })
    })
    await sweepArquivos(deps, contaId)
    deleted += 1
  }
  return deleted
}

/** `table` comes from the catalog and is already quoted, so the statement is not one of the fixed ones. */
async function deleteSome(tx: Tx, table: string, contaId: string): Promise<number> {
  const text = `delete from ${table} where ctid = any (array(select ctid from ${table} where conta_id = $1 limit ${BATCH_SIZE}))`
  return (await tx.send({ name: 'retencao: delete rows', text, plan: {}, row: null }, [contaId])).count
}
