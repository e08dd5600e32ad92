import * as z from 'zod/mini'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

/** Contatos that people of the shop write down. A message from the same phone later finds them by `enderecos`. */

const idSchema = z.object({ id: z.string() })
const em = value('em', 'timestamptz')

const insertRows = manyRows(
  'conversas: insert saved contatos',
  idSchema,
  sql`
with i as (
  select * from ${columns('i', { id: 'uuid', nome: 'text', telefone: 'text', observacao: 'text' })}
), novos as (
  insert into enderecos (conta_id, endereco, contato_id)
  select ${contaId}, 'tel:' || i.telefone, i.id from i order by 2 on conflict do nothing returning contato_id
)
insert into contatos (conta_id, id, nome, telefone, endereco, observacao, nome_do_painel, editado_em, criado_em,
  ultima_atividade)
select ${contaId}, i.id, i.nome, i.telefone, i.telefone, i.observacao, i.nome <> '', ${em}, ${em}, ${em}
from i join novos n on n.contato_id = i.id
returning id`,
)

/**
 * Returns the ids. Locks the phones in sorted order, as customer messages do. The caller sorts several batches by
 * phone.
 */
export async function insertSavedContatos(
  tx: Tx,
  contaId: string,
  i: Parameters<typeof insertRows>[1]['i'],
  em: Date,
): Promise<Set<string>> {
  const rows = await insertRows(tx, { contaId, i, em })
  return new Set(rows.map(({ id }) => id))
}

const lockRows = manyRows(
  'conversas: lock saved contatos',
  idSchema,
  sql`select id from contatos where conta_id = ${contaId} and id = any (${value('ids', 'uuid[]')})
      order by id for no key update`,
)

const updateRows = noRows(
  'conversas: update saved contatos',
  sql`
update contatos c set nome = coalesce(i.nome, c.nome), observacao = coalesce(i.observacao, c.observacao),
  nome_do_painel = c.nome_do_painel or i.nome is not null, editado_em = ${em}
from ${columns('i', { id: 'uuid', nome: 'text?', observacao: 'text?' })}
where c.conta_id = ${contaId} and c.id = i.id`,
)

/** Null keeps the value. */
export type SavedChange = Parameters<typeof updateRows>[1]['i'][number]

/**
 * Returns the ids that exist. Locks them in id order, as every transaction that locks several contatos does. The caller
 * sorts several batches by id.
 */
export async function updateSavedContatos(
  tx: Tx,
  contaId: string,
  i: readonly SavedChange[],
  em: Date,
): Promise<Set<string>> {
  const rows = await lockRows(tx, { contaId, ids: i.map(({ id }) => id) })
  await updateRows(tx, { contaId, i, em })
  return new Set(rows.map(({ id }) => id))
}

const knownSchema = z.object({
  telefone: z.string(),
  id: z.string(),
  nome: z.string(),
  observacao: z.string(),
  etiquetas: z.array(z.string()),
})
export type KnownContato = z.output<typeof knownSchema>

const listKnown = manyRows(
  'conversas: list known contatos',
  knownSchema,
  sql`
select substr(e.endereco, 5) as telefone, c.id, c.nome, c.observacao, array(
  select t.etiqueta_id from contatos_etiquetas t where t.conta_id = ${contaId} and t.contato_id = c.id) as etiquetas
from ${columns('i', { endereco: 'text' })}
cross join lateral (select * from enderecos e where e.conta_id = ${contaId} and e.endereco = i.endereco offset 0) e
cross join lateral (select * from contatos c where c.conta_id = ${contaId} and c.id = e.contato_id offset 0) c`,
)

export function findKnownContatos(tx: Tx, contaId: string, telefones: readonly string[]): Promise<KnownContato[]> {
  return listKnown(tx, { contaId, i: telefones.map((telefone) => ({ endereco: `tel:${telefone}` })) })
}
