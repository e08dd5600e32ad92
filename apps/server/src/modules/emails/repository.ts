import type { SentEmail } from '@balcao/contract/entities/admin'
import { sql } from 'kysely'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Page } from '#http/page.ts'
import { SECRET_MAIL_TYPES, hasSecret, RESERVATION_MS, withoutSecret, ATTEMPTS_MAX, VALIDITY_MS } from './rules.ts'

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

export interface DueMail {
  readonly id: string
  readonly tipo: string
  readonly para: string
  readonly assunto: string
  readonly texto: string
  /** Includes the current attempt. */
  readonly tentativas: number
}

/** Reserves the due mails for this node until the reservation expires. None while an imported backup waits for a decision. */
export async function claimDue(tx: Tx, deps: Pick<Deps, 'clock' | 'vault' | 'log'>, limit: number): Promise<DueMail[]> {
  const now = deps.clock.now()
  const { notificacoesEmail } = await tx.kysely
    .selectFrom('configuracoesAdmin')
    .select('notificacoesEmail')
    .executeTakeFirstOrThrow()
  const lines = await tx.kysely
    .updateTable('emails')
    .set((eb) => ({
      tentativas: eb('tentativas', '+', 1),
      proximaEm: new Date(now.getTime() + RESERVATION_MS),
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('emails')
        .select('id')
        .where('enviadoEm', 'is', null)
        .where('proximaEm', '<=', now)
        .where((mail) =>
          mail.or(
            Object.entries(VALIDITY_MS).map(([tipo, validity]) =>
              mail.and([mail('tipo', '=', tipo), mail('criadoEm', '>', new Date(now.getTime() - validity))]),
            ),
          ),
        )
        .where('tentativas', '<', ATTEMPTS_MAX)
        .where(sql.raw<boolean>(`not ${RESTORE_PENDING_SQL}`))
        .$if(!notificacoesEmail, (query) => query.where('tipo', 'in', SECRET_MAIL_TYPES))
        .orderBy('proximaEm')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'tipo', 'para', 'assunto', 'texto', 'tentativas'])
    .execute()
  return lines.map((line) => ({ ...line, texto: openMailText(deps, line) }))
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
