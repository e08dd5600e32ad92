import * as z from 'zod/mini'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'

const waitingSchema = z.object({
  id: z.string(),
  setor: z.nullable(z.string()),
  avisada: z.boolean(),
  passagens: z.array(z.object({ operador: z.string(), em: z.coerce.date() })),
})

export interface QueuedConversa {
  readonly id: string
  readonly setor: string | null
  /** The notice that no person is online was sent. */
  readonly noticed: boolean
  readonly passes: readonly { readonly operadorId: string; readonly at: number }[]
}

const QUEUE_MAX = 500

const QUEUE_SQL = `
select v.id, v.setor, exists (
    select 1 from prazos z where z.conta_id = v.conta_id and z.conversa_id = v.id and z.tipo = 'semNinguem'
  ) as avisada,
  coalesce((select jsonb_agg(jsonb_build_object('operador', p.operador_id, 'em', p.em)) from passagens p
    where p.conta_id = v.conta_id and p.conversa_id = v.id), '[]') as passagens
from conversas v
where v.conta_id = $1 and v.status = 'aguardando' and v.protocolo is not null and ($2::uuid[] is null or v.id = any ($2))
order by v.aguardando_desde, v.id limit ${QUEUE_MAX}`

/** The waiting conversas in the order of their wait: all, or those of these ids that still wait. */
export async function readQueue(tx: Tx, contaId: string, ids: readonly string[] | null): Promise<QueuedConversa[]> {
  const rows = await tx.rows(waitingSchema, QUEUE_SQL, [contaId, ids === null ? null : plainArray(ids)])
  return rows.map(({ id, setor, avisada, passagens }) => ({
    ...{ id, setor, noticed: avisada },
    passes: passagens.map(({ operador, em }) => ({ operadorId: operador, at: em.getTime() })),
  }))
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
