import * as z from 'zod/mini'
import { instant } from '#db/statement/fields.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'

const notaSchema = z.object({
  id: z.string(),
  texto: z.string(),
  autor: z.string(),
  autorId: z.string(),
  mencoes: z.array(z.string()),
  criadaEm: instant,
})

export const insertNota = noRows(
  'notas: insert',
  sql`insert into notas (conta_id, id, conversa_id, texto, autor_id, autor, mencoes, criada_em)
      values (${contaId}, ${value('id', 'uuid')}, ${value('conversaId', 'uuid')}, ${value('texto', 'text')},
        ${value('autorId', 'uuid')}, ${value('autor', 'text')}, ${value('mencoes', 'uuid[]')},
        ${value('criadaEm', 'timestamptz')})`,
)

export const countNotas = oneValue(
  'notas: count',
  z.int(),
  sql`select count(*)::int as value from (
        select from notas where conta_id = ${contaId} and id > ${value('after', 'uuid')} limit ${value('max', 'int')}) n`,
)

export const listNotas = manyRows(
  'notas: list',
  notaSchema,
  sql`select id, texto, autor, autor_id, mencoes, criada_em from notas
      where conta_id = ${contaId} and conversa_id = ${value('conversaId', 'uuid')}
        and (${value('before', 'uuid?')} is null or id < ${value('before', 'uuid?')})
      order by id desc limit ${value('max', 'int')}`,
)

export const findPeople = manyRows(
  'notas: find people',
  z.object({ id: z.string(), setores: z.array(z.string()), linhas: z.array(z.string()) }),
  sql`select id, setores, linhas from usuarios
      where conta_id = ${contaId} and id::text = any (${value('ids', 'text[]')}) and status = 'ativo' and excluido_em is null`,
)

const OLD_BATCH = 1_000

export const deleteOldNotas = noRows(
  'notas: delete old',
  sql`delete from notas where conta_id = ${contaId} and id = any (array(
        select id from notas where conta_id = ${contaId} and id < ${value('id', 'uuid')}
        order by id limit ${rawSql(String(OLD_BATCH))}))`,
)
