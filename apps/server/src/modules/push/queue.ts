import * as z from 'zod/mini'
import { tipoAvisoPushSchema } from '@balcao/contract/entities/push'
import type { Tx } from '#db/transaction.ts'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { ALIVE_SUBSCRIPTIONS_SQL } from './subscriptions.ts'

/** How long a node has a notice reserved for sending. */
const RESERVATION = `interval '1 minute'`
/** Seconds before each retry. After the last one the notice is given up. */
const RETRY_WAITS_S = [5, 30, 120, 600]

const dueSchema = z.object({
  conta_id: z.string(),
  usuario_id: z.string(),
  chave: z.string(),
  tipo: tipoAvisoPushSchema,
  conversa_id: z.nullable(z.string()),
  tentativas: z.int(),
  entregues: z.array(z.string()),
})
/** `tentativas` includes the current attempt. */
export type DueNotice = z.output<typeof dueSchema>

const CLAIM_SQL = `update push_avisos a set tentativas = tentativas + 1, proxima_em = $1::timestamptz + ${RESERVATION}
  where (conta_id, usuario_id, chave) in (
    select conta_id, usuario_id, chave from push_avisos
    where proxima_em <= $1 and not ${RESTORE_PENDING_SQL} order by proxima_em limit $2 for update skip locked)
  returning conta_id, usuario_id, chave, tipo, conversa_id, tentativas, entregues`

/** Reserves due notices for this node. None while an imported backup waits for a decision. */
export async function claimNotices(tx: Tx, now: Date, limit: number): Promise<DueNotice[]> {
  const { rows } = await tx.queryNamed('push-reservar', CLAIM_SQL, [now, limit])
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

/** Stores the outcome of an attempt. `failed`: some browser did not take the notice. */
export async function settleNotice(
  tx: Tx,
  { conta_id, usuario_id, chave, tentativas }: DueNotice,
  { delivered, failed, now }: { readonly delivered: readonly string[]; readonly failed: boolean; readonly now: Date },
): Promise<void> {
  const wait = failed ? RETRY_WAITS_S[tentativas - 1] : undefined
  // A conversa that was opened meanwhile has no next attempt.
  await tx.query(
    `update push_avisos set entregues = entregues || $4::uuid[],
       proxima_em = case when proxima_em is null then null else $5::timestamptz end
     where conta_id = $1 and usuario_id = $2 and chave = $3 and tentativas = $6`,
    [
      conta_id,
      usuario_id,
      chave,
      delivered,
      wait === undefined ? null : new Date(now.getTime() + wait * 1_000),
      tentativas,
    ],
  )
}
