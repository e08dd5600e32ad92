import * as z from 'zod/mini'
import { lineOf } from '#db/statement/line.ts'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

/** The queue may be longer, so a read contains only conversas that the people can get. */
const QUEUE_MAX = 500

/** The rule `mayReadQueue` for people `p` and a conversa `v`. */
const serves = sql`((p.setores = '[]' or coalesce(v.setor, 'geral') = 'geral' or p.setores ? v.setor)
  and (p.linhas = '[]' or p.linhas ? ${lineOf('v')}::text))`
const people = columns('p', { id: 'uuid', setores: 'jsonb', linhas: 'jsonb', desde: 'timestamptz' })
const waiting = sql`v.conta_id = ${contaId} and v.status = 'aguardando' and v.protocolo is not null`
const ids = value('ids', 'uuid[]?')
const idSchema = z.object({ id: z.string() })

/** `ids` null: the whole queue. A person who let the conversa go gets it again only after a new start. */
export const readQueue = manyRows(
  'distribuicao: list waiting',
  z.object({ id: z.string(), linhaId: z.string(), setor: z.nullable(z.string()), passedBy: z.array(z.string()) }),
  sql`
select v.id, ${lineOf('v')} as linha_id, v.setor, array(
  select g.operador_id from passagens g join ${people} on p.id = g.operador_id and p.desde <= g.em
  where g.conta_id = v.conta_id and g.conversa_id = v.id) as passed_by
from conversas v
where ${waiting} and (${ids} is null or v.id = any (${ids})) and exists (
  select from ${people} where ${serves} and not exists (
    select from passagens g where g.conta_id = v.conta_id and g.conversa_id = v.id and g.operador_id = p.id and g.em >= p.desde))
order by v.aguardando_desde, v.id limit ${rawSql(String(QUEUE_MAX))}`,
  { planner: 'indexes' },
)

export const listUnnoticed = manyRows(
  'distribuicao: list unnoticed',
  idSchema,
  sql`
select v.id from conversas v
where ${waiting} and not exists (select from ${people} where ${serves}) and not exists (
  select from prazos z where z.conta_id = v.conta_id and z.conversa_id = v.id and z.tipo = 'semNinguem')
order by v.aguardando_desde, v.id limit ${value('max', 'int')}`,
  { planner: 'indexes' },
)

export const isPassRunning = oneValue(
  'distribuicao: begin pass',
  z.boolean(),
  sql`select not pg_try_advisory_xact_lock(hashtextextended('distribuicao ' || ${contaId}::text, 0)) as value`,
  { planner: 'indexes' },
)

const personSchema = z.object({ usuarioId: z.string() })

const deleteLeft = manyRows(
  'distribuicao: delete left people',
  personSchema,
  sql`delete from presencas where conta_id = ${contaId} and saiu_em <= ${value('before', 'timestamptz')}
      returning usuario_id`,
)

const listPresent = manyRows(
  'distribuicao: list present people',
  personSchema,
  sql`select usuario_id from presencas where conta_id = ${contaId} and usuario_id = any (${value('people', 'uuid[]')})`,
)

/** People without another window. Deletes their rows. */
export async function takeOffline(tx: Tx, contaId: string, before: Date): Promise<string[]> {
  const left = [...new Set((await deleteLeft(tx, { contaId, before })).map(({ usuarioId }) => usuarioId))]
  if (left.length === 0) return []
  const here = await listPresent(tx, { contaId, people: left })
  return left.filter((id) => !here.some(({ usuarioId }) => usuarioId === id))
}

/** Read without locks. */
export const listServedBy = manyRows(
  'distribuicao: list served',
  idSchema,
  sql`select id from conversas
      where conta_id = ${contaId} and status = 'em_atendimento' and operador_id = any (${value('people', 'uuid[]')})`,
)

/**
 * The waits of the last `max` conversas, newest first, in ms. Of the last 300 conversas that people served, which the
 * index reads in order.
 */
export const readSetorQueues = manyRows(
  'distribuicao: list setor queues',
  z.object({ waiting: z.int(), waits: z.array(z.number()) }),
  sql`
select (
    select count(*)::int from conversas v
    where v.conta_id = i.conta_id and v.status = 'aguardando' and coalesce(v.setor, 'geral') = i.setor
  ) as waiting, array(
    select extract(epoch from v.assumida_em - v.aguardando_desde)::float8 * 1000 from (
      (select * from conversas v where v.conta_id = i.conta_id and v.status = 'finalizada' and v.aguardando_desde is not null
        order by v.aguardando_desde desc limit 300)
      union all
      (select * from conversas v where v.conta_id = i.conta_id and v.status = 'em_atendimento'
        order by v.aguardando_desde desc limit 300)
    ) v
    where coalesce(v.setor, 'geral') = i.setor and v.assumida_em >= v.aguardando_desde and not v.teste
    order by v.assumida_em desc limit ${value('max', 'int')}
  ) as waits
from ${columns('i', { contaId: 'uuid', setor: 'text' }, { number: 'ordem' })} order by i.ordem`,
  { prepared: true, planner: 'indexes' },
)
