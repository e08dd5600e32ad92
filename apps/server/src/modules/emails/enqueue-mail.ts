import { sql, value } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { sealedMailText } from './repository.ts'
import { hasSecret, type MailType } from './rules.ts'
import type { MailText } from './texts.ts'

export interface NewMail extends MailText {
  readonly tipo: MailType
  readonly para: string
  readonly contaId?: string
  /** Idempotency key. */
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
