import * as z from 'zod/mini'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { aliveSubscriptions } from './subscriptions.ts'

const RESERVATION = sql`interval '1 minute'`
/** Seconds before each retry. After the last one the notice is given up. */
const RETRY_WAITS_S = [5, 30, 120, 600]

/** A row of a newer version may have a `tipo` that this one does not know. */
const dueSchema = z.object({
  contaId: z.string(),
  usuarioId: z.string(),
  chave: z.string(),
  tipo: z.string(),
  conversaId: z.nullable(z.string()),
  tentativas: z.int(),
  entregues: z.array(z.string()),
})
/** `tentativas` includes the current attempt. */
export type DueNotice = z.output<typeof dueSchema>

const now = value('now', 'timestamptz')

/**
 * Reserves due notices for this node. None while an imported backup waits for a decision. The contas take turns: `r` are
 * those with running notices of this node, `perConta` is the share of a conta. A window function excludes row locks, so
 * the turns are a joined subquery; the outer condition is checked again after the lock.
 */
export const claimNotices = manyRows(
  'push: claim',
  dueSchema,
  sql`update push_avisos a set tentativas = tentativas + 1, proxima_em = ${now} + ${RESERVATION}
  where (conta_id, usuario_id, chave) in (
    select p.conta_id, p.usuario_id, p.chave from push_avisos p join (
      select conta_id, usuario_id, chave, row_number() over (partition by conta_id order by proxima_em) as turn
      from push_avisos where proxima_em <= ${now}
    ) t using (conta_id, usuario_id, chave)
    left join ${columns('r', { contaId: 'uuid', running: 'int' })} on r.conta_id = p.conta_id
    where p.proxima_em <= ${now} and not ${rawSql(RESTORE_PENDING_SQL)}
      and t.turn + coalesce(r.running, 0) <= ${value('perConta', 'int')}
    order by t.turn, p.proxima_em limit ${value('max', 'int')} for update of p skip locked)
  returning conta_id, usuario_id, chave, tipo, conversa_id, tentativas, entregues`,
  { prepared: true },
)

const targetSchema = z.object({
  id: z.string(),
  marca: z.instanceof(Buffer),
  destino: z.string(),
  nome: z.nullable(z.string()),
})
export type NoticeTarget = z.output<typeof targetSchema>

const usuarioId = value('usuarioId', 'uuid')

/** The browsers of the usuario that did not receive the notice yet. `nome`: the customer, if it may be shown. */
export const listTargets = manyRows(
  'push: list targets',
  targetSchema,
  sql`select i.id, i.marca, i.destino, k.nome from ${aliveSubscriptions}
     left join push_preferencias p on p.conta_id = i.conta_id and p.usuario_id = i.usuario_id
     left join conversas v on v.conta_id = i.conta_id and v.id = ${value('conversaId', 'uuid?')} and p.mostrar_nome
     left join contatos k on k.conta_id = v.conta_id and k.id = v.contato_id and k.nome <> ''
     where i.conta_id = ${contaId} and i.usuario_id = ${usuarioId} and i.id <> all (${value('entregues', 'uuid[]')})`,
)

const theAttempt = sql`conta_id = ${contaId} and usuario_id = ${usuarioId} and chave = ${value('chave', 'text')}
  and tentativas = ${value('tentativas', 'int')}`

const deleteTest = noRows('push: delete test', sql`delete from push_avisos where ${theAttempt} and tipo = 'teste'`)

/** A conversa that was opened meanwhile has no next attempt. */
const endAttempt = noRows(
  'push: end attempt',
  sql`update push_avisos set entregues = entregues || ${value('delivered', 'uuid[]')},
        proxima_em = case when proxima_em is null then null else ${value('nextAt', 'timestamptz?')} end
      where ${theAttempt}`,
)

/** Stores the outcome of an attempt. `failed`: some browser did not take the notice. */
export async function settleNotice(
  tx: Tx,
  notice: DueNotice,
  { delivered, failed, now }: { readonly delivered: readonly string[]; readonly failed: boolean; readonly now: Date },
): Promise<void> {
  const wait = failed ? RETRY_WAITS_S[notice.tentativas - 1] : undefined
  if (wait === undefined) await deleteTest(tx, notice)
  const nextAt = wait === undefined ? null : new Date(now.getTime() + wait * 1_000)
  await endAttempt(tx, { ...notice, delivered, nextAt })
}
