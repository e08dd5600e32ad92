import * as z from 'zod/mini'
import { etiquetaSchema } from '@balcao/contract/entities/etiqueta'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

const idSchema = z.object({ id: z.string() })
const id = value('id', 'uuid')
const theOne = sql`conta_id = ${contaId} and id = ${id}`

export const listEtiquetas = manyRows(
  'contatos: list etiquetas',
  z.extend(etiquetaSchema, { chave: z.string() }),
  sql`select id, nome, cor, chave from etiquetas where conta_id = ${contaId} order by chave`,
)

export const lockNewEtiquetas = noRows(
  'contatos: lock new etiquetas',
  sql`select pg_advisory_xact_lock(hashtext('etiquetas'), hashtext(${contaId}::text))`,
)

export const lockEtiqueta = oneRow(
  'contatos: lock etiqueta',
  etiquetaSchema,
  sql`select id, nome, cor from etiquetas where ${theOne} for no key update`,
)

export const insertEtiquetas = noRows(
  'contatos: insert etiquetas',
  sql`insert into etiquetas (conta_id, id, nome, chave, cor)
      select ${contaId}, i.* from ${columns('i', { id: 'uuid', nome: 'text', chave: 'text', cor: 'text' })}`,
)

export const updateEtiqueta = noRows(
  'contatos: update etiqueta',
  sql`update etiquetas set nome = ${value('nome', 'text')}, chave = ${value('chave', 'text')}, cor = ${value('cor', 'text')}
      where ${theOne}`,
)

/** Or else the newest contato of the conta: windows need one to read again. */
export const listTagged = manyRows(
  'contatos: list tagged',
  idSchema,
  sql`
with t as (
  select contato_id from contatos_etiquetas where conta_id = ${contaId} and etiqueta_id = ${id}
  order by contato_id desc limit ${value('limit', 'int')}
), c as (select id from contatos where conta_id = ${contaId} order by id desc limit 1)
select contato_id as id from t union all select id from c where not exists (select from t)`,
)

export const deleteEtiquetaRow = noRows('contatos: delete etiqueta', sql`delete from etiquetas where ${theOne}`)

export const holdEtiquetas = manyRows(
  'contatos: hold etiquetas',
  idSchema,
  sql`select id from etiquetas where conta_id = ${contaId} and id::text = any (${value('ids', 'text[]')})
      order by id for key share`,
)

export const addEtiquetas = noRows(
  'contatos: add etiquetas',
  sql`insert into contatos_etiquetas (conta_id, etiqueta_id, contato_id)
      select ${contaId}, i.* from ${columns('i', { etiquetaId: 'uuid', contatoId: 'uuid' })} order by 2, 3
      on conflict do nothing`,
)

export const lockTaggedContatos = manyRows(
  'contatos: lock tagged contatos',
  idSchema,
  sql`select id from contatos where conta_id = ${contaId} and id = any (${value('ids', 'uuid[]')})
      order by id for no key update`,
)

export const removeSomeEtiquetas = noRows(
  'contatos: remove some etiquetas',
  sql`delete from contatos_etiquetas where conta_id = ${contaId}
        and contato_id = any (${value('contatoIds', 'uuid[]')}) and etiqueta_id = any (${value('etiquetaIds', 'uuid[]')})`,
)

export type TaggedContato = Parameters<typeof addEtiquetas>[1]['i'][number]

const removeEtiquetas = noRows(
  'contatos: remove etiquetas',
  sql`delete from contatos_etiquetas where conta_id = ${contaId} and contato_id = ${value('contatoId', 'uuid')}`,
)

export async function replaceEtiquetas(
  tx: Tx,
  contaId: string,
  contatoId: string,
  ids: readonly string[],
): Promise<void> {
  await removeEtiquetas(tx, { contaId, contatoId })
  const i = ids.map((etiquetaId) => ({ contatoId, etiquetaId }))
  if (i.length > 0) await addEtiquetas(tx, { contaId, i })
}
