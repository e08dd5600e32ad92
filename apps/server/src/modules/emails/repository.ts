import * as z from 'zod/mini'
import type { SentEmail } from '@balcao/contract/entities/admin'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { instant } from '#db/statement/fields.ts'
import { columns, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Page } from '#http/page.ts'
import type { Room } from '#db/reserved-work.ts'
import { hasSecret, RESERVATION_MS, withoutSecret, ATTEMPTS_MAX, VALIDITY_MS, type MailType } from './rules.ts'
import type { MailText } from './texts.ts'

function sealContext(id: string): string {
  return `emails|texto|${id}`
}

function sealedMailText({ vault }: Pick<Deps, 'vault'>, mail: { id: string; tipo: string; texto: string }): string {
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

const now = value('now', 'timestamptz')
/** Each with the creation since which it is valid. */
const sendable = columns('sendable', { tipo: 'text', since: 'timestamptz' })
const attemptsMax = rawSql(String(ATTEMPTS_MAX))
const isDue = sql`e.enviado_em is null and e.proxima_em <= ${now} and e.tentativas < ${attemptsMax} and e.criado_em > (
  select since from ${sendable} where sendable.tipo = e.tipo)`

/**
 * Reset mails come first. The contas take turns: `perConta` is the share of one, `running` has its mails of this node.
 * A window function excludes row locks, so the turns are a joined subquery; the outer condition is checked again after
 * the lock.
 */
const claim = manyRows(
  'emails: claim',
  dueMailSchema,
  sql`
update emails set tentativas = tentativas + 1, proxima_em = ${value('nextAt', 'timestamptz')}
where id in (
  select e.id from emails e
  join (
    select e.id, coalesce(e.conta_id::text, '') as conta,
      row_number() over (partition by e.conta_id order by e.tipo = 'redefinicao' desc, e.proxima_em) as turn
    from emails e where ${isDue}
      and not exists (select 1 from contas c where c.id = e.conta_id and c.mudanca is not null)
  ) t on t.id = e.id
  left join ${columns('running', { conta: 'text', mails: 'int' })} on running.conta = t.conta
  where ${isDue} and not ${rawSql(RESTORE_PENDING_SQL)}
    and t.turn + coalesce(running.mails, 0) <= ${value('perConta', 'int')}
  order by e.tipo = 'redefinicao' desc, t.turn, e.proxima_em
  limit ${value('total', 'int')} for update of e skip locked)
returning id, coalesce(conta_id::text, '') as conta, tipo, para, assunto, texto, tentativas`,
)

const sendsNotices = oneValue(
  'emails: sends notices',
  z.boolean(),
  sql`select notificacoes_email as value from configuracoes_admin`,
)

/** None of a moving conta, and none while an imported backup waits for a decision. */
export async function claimDue(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'vault' | 'log'>,
  { total, running, perConta }: Room & { readonly perConta: number },
): Promise<DueMail[]> {
  const now = deps.clock.now()
  const notices = await sendsNotices(tx, {})
  const mails = await claim(tx, {
    now,
    nextAt: new Date(now.getTime() + RESERVATION_MS),
    sendable: Object.entries(VALIDITY_MS)
      .filter(([tipo]) => notices || hasSecret(tipo))
      .map(([tipo, validity]) => ({ tipo, since: new Date(now.getTime() - validity) })),
    running: [...running].map(([conta, mails]) => ({ conta, mails })),
    ...{ total, perConta },
  })
  return mails.map((mail) => ({ ...mail, texto: openMailText(deps, mail) }))
}

export const discardMails = noRows(
  'emails: discard',
  sql`update emails set tentativas = ${attemptsMax}, erro = ${value('reason', 'text')}
    where enviado_em is null and tentativas < ${attemptsMax} and criado_em <= ${value('until', 'timestamptz')}`,
)

const id = value('id', 'uuid')

const markRowSent = noRows(
  'emails: mark sent',
  sql`update emails set enviado_em = ${value('sentAt', 'timestamptz')}, erro = null,
    texto = coalesce(${value('texto', 'text?')}, texto) where id = ${id}`,
)

export async function markSent(tx: Tx, { id, tipo, texto }: DueMail, sentAt: Date): Promise<void> {
  await markRowSent(tx, { id, sentAt, texto: hasSecret(tipo) ? withoutSecret(texto) : null })
}

export const markFailed = noRows(
  'emails: mark failed',
  sql`update emails set erro = ${value('reason', 'text')}, proxima_em = ${value('nextAt', 'timestamptz')} where id = ${id}`,
)

export const deleteOldMails = noRows(
  'emails: delete old',
  sql`delete from emails where id in (
      select e.id from emails e where e.criado_em < ${value('before', 'timestamptz')} and not exists (
        select 1 from privacidade p where p.conta_id = e.conta_id and p.guarda_legal)
      order by e.criado_em limit ${value('limit', 'int')})`,
)

const listRows = manyRows(
  'emails: list',
  z.object({
    id: z.string(),
    para: z.string(),
    assunto: z.string(),
    texto: z.string(),
    criadoEm: instant,
    enviadoEm: z.nullable(instant),
    erro: z.nullable(z.string()),
  }),
  sql`select id, para, assunto, texto, criado_em, enviado_em, erro from emails
    where ${value('before', 'uuid?')} is null or id < ${value('before', 'uuid?')}
    order by id desc limit ${value('limit', 'int')}`,
)

/** Links are shown only without a mail server, because the administrator then delivers them by hand. */
export async function listEmails(
  tx: Tx,
  deps: Pick<Deps, 'vault' | 'log' | 'mailer'>,
  { limite, before }: Page,
): Promise<SentEmail[]> {
  const rows = await listRows(tx, { before, limit: limite + 1 })
  return rows.map((row) => {
    const { enviadoEm, erro, ...mail } = row
    const text = openMailText(deps, row)
    return {
      ...mail,
      texto: deps.mailer.configured ? withoutSecret(text) : text,
      ...(enviadoEm === null ? {} : { enviadoEm }),
      ...(erro === null ? {} : { erro }),
    }
  })
}

interface NewMail extends MailText {
  readonly tipo: MailType
  readonly para: string
  readonly contaId?: string
  readonly chave?: string
  /** Does the same work without a row, so the response time does not reveal whether an address is known. */
  readonly simulate?: boolean
}

const insertMail = noRows(
  'emails: insert',
  sql`insert into emails (id, conta_id, tipo, chave, para, assunto, texto, criado_em, proxima_em)
    select ${value('id', 'uuid')}, ${value('contaId', 'uuid?')}, ${value('tipo', 'text')}, ${value('chave', 'text?')},
      ${value('para', 'text')}, ${value('assunto', 'text')}, ${value('text', 'text')}, ${value('now', 'timestamptz')},
      ${value('now', 'timestamptz')}
    where ${value('stored', 'bool')} and (${value('asked', 'bool')} or (select notificacoes_email from configuracoes_admin))
    on conflict (chave) do nothing`,
)

/**
 * Sent after the commit. If the administrator switched notifications off, only links requested by people are inserted.
 */
export async function enqueueMail(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'vault' | 'mailQueued'>,
  mail: NewMail,
): Promise<boolean> {
  const id = deps.ids.uuid()
  const now = deps.clock.now()
  const text = sealedMailText(deps, { id, tipo: mail.tipo, texto: mail.texto })
  const inserted = await insertMail(tx, {
    ...{ id, now, text, tipo: mail.tipo, para: mail.para },
    contaId: mail.contaId ?? null,
    chave: mail.chave ?? null,
    assunto: mail.assunto.replace(/\s+/g, ' '),
    stored: mail.simulate !== true,
    asked: hasSecret(mail.tipo),
  })
  if (inserted === 1) tx.afterCommit(deps.mailQueued)
  return inserted === 1
}
