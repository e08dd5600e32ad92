import * as z from 'zod/mini'
import { lineOf } from '#db/statement/line.ts'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { lockContatosOf } from '#modules/conversas/index.ts'
import { runEach } from '#modules/prazos/index.ts'

const now = value('now', 'timestamptz')

const upsertReminders = noRows(
  'carrinhos_parados: upsert',
  sql`insert into carrinhos_parados (conta_id, conversa_id, vence_em)
      select conta_id, conversa_id, vence_em
      from ${columns('i', { contaId: 'uuid', conversaId: 'uuid', venceEm: 'timestamptz' })}
      on conflict (conta_id, conversa_id) do update set vence_em = excluded.vence_em`,
)

export interface CartReminder {
  readonly contaId: string
  readonly conversaId: string
  readonly venceEm: Date
}

/** At most one per conversa. A later change of the cart moves its reminder. */
export async function scheduleReminders(tx: Tx, reminders: readonly CartReminder[]): Promise<void> {
  if (reminders.length > 0) await upsertReminders(tx, { i: reminders })
}

/** Read without locks: the contatos must be locked before `takeDue`. */
const listDue = manyRows(
  'carrinhos_parados: list due',
  z.object({ conversaId: z.string() }),
  sql`select conversa_id from carrinhos_parados where conta_id = ${contaId} and vence_em <= ${now}
      order by vence_em limit 50`,
)

/** `served`: people or the agent of Meta have a conversa of the customer. */
const takeDue = manyRows(
  'carrinhos_parados: take due',
  z.object({ contatoId: z.string(), linhaId: z.string(), served: z.boolean() }),
  sql`with f as (
      delete from carrinhos_parados where conta_id = ${contaId} and vence_em <= ${now}
        and conversa_id = any (${value('conversaIds', 'uuid[]')}) returning conversa_id
    )
    select v.contato_id, ${lineOf('v')} as linha_id, exists (
      select from conversas o where o.conta_id = v.conta_id and o.contato_id = v.contato_id
        and o.status in ('aguardando', 'em_atendimento')) as served
    from f join conversas v on v.conta_id = ${contaId} and v.id = f.conversa_id order by v.contato_id`,
)

/** Deletes the due reminders of all contas: after the import of a backup they may be days late. */
export const deleteDueReminders = noRows(
  'carrinhos_parados: delete due',
  sql`delete from carrinhos_parados where vence_em <= ${now}`,
)

type ReminderDeps = Pick<Deps, 'db' | 'clock' | 'applyEventIn' | 'crashPoint'>

/** Reminds the due customers of a conta, together or, after an error, each alone. Throws the first error at the end. */
export async function remindDueCarts(deps: ReminderDeps, contaId: string): Promise<void> {
  const due = await deps.db.read(contaId, (tx) => listDue(tx, { contaId, now: deps.clock.now() }))
  const ids = due.map(({ conversaId }) => conversaId)
  await remind(deps, contaId, ids).catch(() => runEach(ids, (id) => remind(deps, contaId, [id])))
}

/** The row, the message and the mark on the cart have one COMMIT, so a cart has one reminder. */
async function remind(deps: ReminderDeps, contaId: string, conversaIds: readonly string[]): Promise<void> {
  const { db, clock, applyEventIn, crashPoint } = deps
  if (conversaIds.length === 0) return
  await db.transaction(contaId, async (tx) => {
    await lockContatosOf(tx, { contaId, ids: conversaIds })
    // First, so that a crash comes before the other callbacks send and publish.
    tx.afterCommit(() => crashPoint('lembrete.apos-commit'))
    for (const { served, ...who } of await takeDue(tx, { contaId, now: clock.now(), conversaIds })) {
      if (!served) await applyEventIn(tx, { contaId, ...who }, (base) => ({ tipo: 'lembrarCarrinho', ...base }))
    }
    crashPoint('lembrete.antes-commit')
  })
}
