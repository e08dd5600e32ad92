import * as z from 'zod/mini'
import type { WaitingConversa } from '@balcao/engine/atendimento/next-person'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import type { TeamMember } from './people.ts'

/** Rows of one read. The queue may be longer, so a read contains only conversas that the people can get. */
const QUEUE_MAX = 500

/** The rule `mayReadSetor` for people `p` and a conversa `v`. */
const SERVES_SQL = `(p.setores = '[]' or coalesce(v.setor, 'geral') = 'geral' or p.setores ? v.setor)`
const PEOPLE_SQL = `jsonb_to_recordset($2::jsonb) as p (id uuid, setores jsonb, desde timestamptz)`
const WAITING_SQL = `v.conta_id = $1 and v.status = 'aguardando' and v.protocolo is not null`

const waitingSchema = z.object({
  id: z.string(),
  setor: z.nullable(z.string()),
  passada_por: z.array(z.string()),
})

/** A person who let the conversa go gets it again only after a new start. */
const QUEUE_SQL = `
select v.id, v.setor, array(
  select g.operador_id from passagens g join ${PEOPLE_SQL} on p.id = g.operador_id and p.desde <= g.em
  where g.conta_id = v.conta_id and g.conversa_id = v.id) as passada_por
from conversas v
where ${WAITING_SQL} and ($3::uuid[] is null or v.id = any ($3)) and exists (
  select from ${PEOPLE_SQL} where ${SERVES_SQL} and not exists (
    select from passagens g where g.conta_id = v.conta_id and g.conversa_id = v.id and g.operador_id = p.id and g.em >= p.desde))
order by v.aguardando_desde, v.id limit ${QUEUE_MAX}`

type QueuePerson = Pick<TeamMember, 'id' | 'setores' | 'since'>

const peopleValue = (people: readonly QueuePerson[]): string =>
  JSON.stringify(people.map(({ id, setores, since }) => ({ id, setores, desde: new Date(since) })))

/**
 * Waiting conversas that one of these people can get, in the order of their wait. `ids` null: of the whole queue,
 * otherwise those of these that still wait.
 */
export async function readQueue(
  tx: Tx,
  contaId: string,
  people: readonly QueuePerson[],
  ids: readonly string[] | null,
): Promise<WaitingConversa[]> {
  const values = [contaId, peopleValue(people), ids === null ? null : plainArray(ids)]
  const rows = await tx.rows(waitingSchema, QUEUE_SQL, values)
  return rows.map(({ id, setor, passada_por: passedBy }) => ({ id, setor, passedBy }))
}

const UNNOTICED_SQL = `
select v.id from conversas v
where ${WAITING_SQL} and not exists (select from ${PEOPLE_SQL} where ${SERVES_SQL}) and not exists (
  select from prazos z where z.conta_id = v.conta_id and z.conversa_id = v.id and z.tipo = 'semNinguem')
order by v.aguardando_desde, v.id limit $3`

/** Ids of waiting conversas whose setor none of these people serves, and whose customer got no notice of it. */
export async function listUnnoticed(
  tx: Tx,
  contaId: string,
  people: readonly QueuePerson[],
  limit: number,
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(UNNOTICED_SQL, [contaId, peopleValue(people), limit])
  return rows.map(({ id }) => id)
}

/** Another pass over the queue of this conta runs now, on this node or on another one. */
export async function isPassRunning(tx: Tx, contaId: string): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('distribuicao ' || $1::text, 0)) as locked`,
    [contaId],
  )
  return rows[0]?.locked !== true
}

/** People whose last window of the conta closed before this instant, and who have no other one. Deletes their rows. */
export async function takeOffline(tx: Tx, contaId: string, before: Date): Promise<string[]> {
  const { rows } = await tx.query<{ usuario_id: string }>(
    `delete from presencas where conta_id = $1 and saiu_em <= $2 returning usuario_id`,
    [contaId, before],
  )
  const left = [...new Set(rows.map(({ usuario_id: id }) => id))]
  if (left.length === 0) return []
  const { rows: here } = await tx.query<{ usuario_id: string }>(
    `select usuario_id from presencas where conta_id = $1 and usuario_id = any ($2::uuid[])`,
    [contaId, plainArray(left)],
  )
  return left.filter((id) => !here.some(({ usuario_id: other }) => other === id))
}

/** Conversas that these people serve, read without locks. */
export async function listServedBy(tx: Tx, contaId: string, people: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from conversas where conta_id = $1 and status = 'em_atendimento' and operador_id = any ($2::uuid[])`,
    [contaId, plainArray(people)],
  )
  return rows.map(({ id }) => id)
}

const placeSchema = z.object({ ordem: z.number(), na_frente: z.number(), esperas: z.array(z.number()) })

/** The last 300 conversas of the conta that people served, which its index reads in order. */
const PLACES_SQL = `
select i.ordem::int as ordem, (
    select count(*)::int from conversas v
    where v.conta_id = i.conta_id and v.status = 'aguardando' and coalesce(v.setor, 'geral') = i.setor
  ) as na_frente, array(
    select extract(epoch from v.assumida_em - v.aguardando_desde)::float8 * 1000 from (
      (select * from conversas v where v.conta_id = i.conta_id and v.status = 'finalizada' and v.aguardando_desde is not null
        order by v.aguardando_desde desc limit 300)
      union all
      (select * from conversas v where v.conta_id = i.conta_id and v.status = 'em_atendimento'
        order by v.aguardando_desde desc limit 300)
    ) v
    where coalesce(v.setor, 'geral') = i.setor and v.assumida_em >= v.aguardando_desde and not v.teste
    order by v.assumida_em desc limit $3
  ) as esperas
from unnest($1::uuid[], $2::text[]) with ordinality as i (conta_id, setor, ordem) order by i.ordem`

interface SetorRef {
  readonly contaId: string
  readonly setor: string
}

interface SetorQueue {
  /** Conversas that wait now. */
  readonly waiting: number
  /** Waits of the last conversas, newest first, in ms. */
  readonly waits: readonly number[]
}

export async function readSetorQueues(tx: Tx, setores: readonly SetorRef[], waits: number): Promise<SetorQueue[]> {
  const { rows } = await tx.queryNamed('filas-lugares', PLACES_SQL, [
    plainArray(setores.map(({ contaId }) => contaId)),
    textArray(setores.map(({ setor }) => setor)),
    waits,
  ])
  return rows.map((row) => {
    const { na_frente: waiting, esperas } = placeSchema.parse(row)
    return { waiting, waits: esperas }
  })
}
