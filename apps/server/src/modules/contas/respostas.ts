import * as z from 'zod/mini'
import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

export const listRespostas = manyRows(
  'contas: list respostas',
  z.object({ atalho: z.string(), texto: z.string(), setores: z.array(z.string()) }),
  sql`select atalho, texto, setores from respostas_rapidas where conta_id = ${contaId} order by ordem`,
)

const deleteRespostas = noRows(
  'contas: delete respostas',
  sql`delete from respostas_rapidas where conta_id = ${contaId}`,
)

const insertRespostas = noRows(
  'contas: insert respostas',
  sql`insert into respostas_rapidas (conta_id, atalho, texto, ordem, setores)
      select ${contaId}, atalho, texto, lugar - 1, setores
      from ${columns('respostas', { atalho: 'text', texto: 'text', setores: 'jsonb' }, { number: 'lugar' })}`,
)

export async function replaceRespostas(tx: Tx, contaId: string, respostas: readonly RespostaRapida[]): Promise<void> {
  await deleteRespostas(tx, { contaId })
  if (respostas.length > 0) await insertRespostas(tx, { contaId, respostas })
}

const removeSetores = noRows(
  'contas: remove setores of respostas',
  sql`update respostas_rapidas set setores = setores - ${value('setores', 'text[]')}
      where conta_id = ${contaId} and setores ?| ${value('setores', 'text[]')}`,
)

/** A reply without a setor left is for all. */
export async function removeSetoresOfRespostas(tx: Tx, contaId: string, setores: readonly string[]): Promise<void> {
  if (setores.length > 0) await removeSetores(tx, { contaId, setores })
}
