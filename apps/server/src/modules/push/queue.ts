import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Room } from '#db/reserved-work.ts'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { ALIVE_SUBSCRIPTIONS_SQL } from './subscriptions.ts'

/** How long a node has a notice reserved for sending. */
const RESERVATION = `interval '1 minute'`
/** Seconds before each retry. After the last one the notice is given up. */
const RETRY_WAITS_S = [5, 30, 120, 600]

/** A row of a newer version may have a `tipo` that this one does not know. */
const dueSchema = z.object({
  conta_id: z.string(),
  usuario_id: z.string(),
  chave: z.string(),
  tipo: z.string(),
  conversa_id: z.nullable(z.string()),
  tentativas: z.int(),
  entregues: z.array(z.string()),
})
/** `tentativas` includes the current attempt. */
export type DueNotice = z.output<typeof dueSchema>

/**
 * The contas take turns. $3 and $4 are the contas with running notices of this node and their numbers, $5 is the
 * share of a conta. A window function excludes row locks, so the turns are a joined subquery; the outer condition is
 * checked again after the lock.
 */
const CLAIM_SQL = `update push_avisos a set tentativas = tentativas + 1, proxima_em = $1::timestamptz + ${RESERVATION}
  where (conta_id, usuario_id, chave) in (
    select p.conta_id, p.usuario_id, p.chave from push_avisos p join (
      select conta_id, usuario_id, chave, row_number() over (partition by conta_id order by proxima_em) as turn
      from push_avisos where proxima_em <= $1
    ) t using (conta_id, usuario_id, chave)
    left join unnest($3::uuid[], $4::int[]) as r (conta_id, running) on r.conta_id = p.conta_id
    where p.proxima_em <= $1 and not ${RESTORE_PENDING_SQL} and t.turn + coalesce(r.running, 0) <= $5
    order by t.turn, p.proxima_em limit $2 for update of p skip locked)
  returning conta_id, usuario_id, chave, tipo, conversa_id, tentativas, entregues`

/** Reserves due notices for this node. None while an imported backup waits for a decision. */
export async function claimNotices(
  tx: Tx,
  now: Date,
  { total, perConta, running }: Room & { readonly perConta: number },
): Promise<DueNotice[]> {
  const { rows } = await tx.queryNamed('push-reservar', CLAIM_SQL, [
    now,
    total,
    [...running.keys()],
    [...running.values()],
    perConta,
  ])
  return rows.map((row) => dueSchema.parse(row))
}

const targetSchema = z.object({
  id: z.string(),
  marca: z.instanceof(Buffer),
  destino: z.string(),
  nome: z.nullable(z.string()),
})
export type NoticeTarget = z.output<typeof targetSchema>

/** The browsers of the usuario that did not receive the notice yet. `nome`: the customer, if it may be shown. */
export function listTargets(tx: Tx, notice: DueNotice, now: Date): Promise<NoticeTarget[]> {
  return tx.rows(
    targetSchema,
    `select i.id, i.marca, i.destino, k.nome from ${ALIVE_SUBSCRIPTIONS_SQL}
     left join push_preferencias p on p.conta_id = i.conta_id and p.usuario_id = i.usuario_id
     left join conversas v on v.conta_id = i.conta_id and v.id = $4 and p.mostrar_nome
     left join contatos k on k.conta_id = v.conta_id and k.id = v.contato_id and k.nome <> ''
     where i.conta_id = $2 and i.usuario_id = $3 and i.id <> all ($5::uuid[])`,
    [now, notice.conta_id, notice.usuario_id, notice.conversa_id, notice.entregues],
  )
}

/** A test repeats nothing, so its row ends with it. */
const END_SQL = `delete from push_avisos
  where conta_id = $1 and usuario_id = $2 and chave = $3 and tentativas = $4 and tipo = 'teste'`

/** Stores the outcome of an attempt. `failed`: some browser did not take the notice. */
export async function settleNotice(
  tx: Tx,
  { conta_id, usuario_id, chave, tentativas }: DueNotice,
  { delivered, failed, now }: { readonly delivered: readonly string[]; readonly failed: boolean; readonly now: Date },
): Promise<void> {
  const key = [conta_id, usuario_id, chave, tentativas]
  const wait = failed ? RETRY_WAITS_S[tentativas - 1] : undefined
  if (wait === undefined) await tx.query(END_SQL, key)
  // A conversa that was opened meanwhile has no next attempt.
  await tx.query(
    `update push_avisos set entregues = entregues || $5::uuid[],
       proxima_em = case when proxima_em is null then null else $6::timestamptz end
     where conta_id = $1 and usuario_id = $2 and chave = $3 and tentativas = $4`,
    [...key, delivered, wait === undefined ? null : new Date(now.getTime() + wait * 1_000)],
  )
}
