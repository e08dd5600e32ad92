import type { SentEmail } from '@balcao/contract/entities/admin'
import * as z from 'zod/mini'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Page } from '#http/page.ts'
import type { Room } from '#db/reserved-work.ts'
import { hasSecret, RESERVATION_MS, withoutSecret, ATTEMPTS_MAX, VALIDITY_MS } from './rules.ts'

/** Sealing context, which binds the text to its row. */
function sealContext(id: string): string {
  return `emails|texto|${id}`
}

export function sealedMailText(
  { vault }: Pick<Deps, 'vault'>,
  mail: { id: string; tipo: string; texto: string },
): string {
  return hasSecret(mail.tipo) ? vault.seal(mail.texto, sealContext(mail.id)) : mail.texto
}

function openMailText(
  { vault, log }: Pick<Deps, 'vault' | 'log'>,
  { id, texto }: { id: string; texto: string },
): string {
  if (!vault.isSealed(texto)) return texto
  try {
    return vault.open(texto, sealContext(id))
  } catch (error) {
    // A mail sealed with a lost key must not break the list or the queue.
    log.warn({ err: error, emailId: id }, 'mail not opened, key changed')
    return ''
  }
}

const dueMailSchema = z.object({
  id: z.string(),
  /** Empty: a mail of no conta. */
  conta: z.string(),
  tipo: z.string(),
  para: z.string(),
  assunto: z.string(),
  texto: z.string(),
  tentativas: z.number(),
})

/** `tentativas` includes the current attempt. */
export type DueMail = Readonly<z.output<typeof dueMailSchema>>

/** $1 is now. $3 and $4 are the types that may be sent and the creation since which each of them is valid. */
const DUE_SQL = `e.enviado_em is null and e.proxima_em <= $1 and e.tentativas < ${ATTEMPTS_MAX} and e.criado_em > (
  select v.since from unnest($3::text[], $4::timestamptz[]) as v (tipo, since) where v.tipo = e.tipo)`

/**
 * Reset mails come first. The accounts take turns, and each has few mails at once: $6 and $7 are the accounts with
 * running mails of this node and their numbers, $8 is the share of one. A window function excludes row locks, so the
 * turns are a joined subquery; the outer condition is checked again after the lock.
 */
const CLAIM_SQL = `
update emails set tentativas = tentativas + 1, proxima_em = $2
where id in (
  select e.id from emails e
  join (
    select e.id, coalesce(e.conta_id::text, '') as conta,
      row_number() over (partition by e.conta_id order by e.tipo = 'redefinicao' desc, e.proxima_em) as turn
    from emails e where ${DUE_SQL}
      and not exists (select 1 from contas c where c.id = e.conta_id and c.mudanca is not null)
  ) t on t.id = e.id
  left join unnest($6::text[], $7::int[]) as r (conta, running) on r.conta = t.conta
  where ${DUE_SQL} and not ${RESTORE_PENDING_SQL} and t.turn + coalesce(r.running, 0) <= $8
  order by e.tipo = 'redefinicao' desc, t.turn, e.proxima_em
  limit $5 for update of e skip locked)
returning id, coalesce(conta_id::text, '') as conta, tipo, para, assunto, texto, tentativas`

/**
 * Reserves the due mails for this node until the reservation expires. None of a moving conta, and none while an
 * imported backup waits for a decision.
 */
export async function claimDue(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'vault' | 'log'>,
  { total, running, perConta }: Room & { readonly perConta: number },
): Promise<DueMail[]> {
  const now = deps.clock.now()
  const { notificacoesEmail } = await tx.kysely
    .selectFrom('configuracoesAdmin')
    .select('notificacoesEmail')
    .executeTakeFirstOrThrow()
  const sendable = Object.entries(VALIDITY_MS).filter(([tipo]) => notificacoesEmail || hasSecret(tipo))
  const mails = await tx.rows(dueMailSchema, CLAIM_SQL, [
    now,
    new Date(now.getTime() + RESERVATION_MS),
    sendable.map(([tipo]) => tipo),
    sendable.map(([, validity]) => new Date(now.getTime() - validity).toISOString()),
    total,
    [...running.keys()],
    [...running.values()],
    perConta,
  ])
  return mails.map((mail) => ({ ...mail, texto: openMailText(deps, mail) }))
}

/** Gives up the unsent mails up to this instant. Returns their number. */
export async function discardMails(tx: Tx, until: Date, reason: string): Promise<number> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('emails')
    .set({ tentativas: ATTEMPTS_MAX, erro: reason })
    .where('enviadoEm', 'is', null)
    .where('tentativas', '<', ATTEMPTS_MAX)
    .where('criadoEm', '<=', until)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Removes the link from the stored text after delivery. */
export async function markSent(tx: Tx, mail: DueMail, sentAt: Date): Promise<void> {
  await tx.kysely
    .updateTable('emails')
    .set({ enviadoEm: sentAt, erro: null, ...(hasSecret(mail.tipo) ? { texto: withoutSecret(mail.texto) } : {}) })
    .where('id', '=', mail.id)
    .execute()
}

export async function markFailed(tx: Tx, id: string, reason: string, nextAt: Date): Promise<void> {
  await tx.kysely.updateTable('emails').set({ erro: reason, proximaEm: nextAt }).where('id', '=', id).execute()
}

/** Deletes one batch of mails written before `before`, except of contas under a legal hold. Returns the number of rows. */
export async function deleteOldMails(tx: Tx, before: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from emails where id in (
       select e.id from emails e where e.criado_em < $1 and not exists (
         select 1 from privacidade p where p.conta_id = e.conta_id and p.guarda_legal)
       order by e.criado_em limit $2)`,
    [before, limit],
  )
  return rowCount ?? 0
}

/** Links are shown only without a mail server, because the administrator then delivers them by hand. */
export async function listEmails(
  tx: Tx,
  deps: Pick<Deps, 'vault' | 'log' | 'mailer'>,
  { limite, before }: Page,
): Promise<SentEmail[]> {
  const lines = await tx.kysely
    .selectFrom('emails')
    .select(['id', 'para', 'assunto', 'texto', 'criadoEm', 'enviadoEm', 'erro'])
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limite + 1)
    .execute()
  return lines.map((line) => {
    const text = openMailText(deps, line)
    return {
      id: line.id,
      para: line.para,
      assunto: line.assunto,
      texto: deps.mailer.configured ? withoutSecret(text) : text,
      criadoEm: line.criadoEm.toISOString(),
      ...(line.enviadoEm === null ? {} : { enviadoEm: line.enviadoEm.toISOString() }),
      ...(line.erro === null ? {} : { erro: line.erro }),
    }
  })
}
