import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { sealedMailText } from './repository.ts'
import { hasSecret, type MailType } from './rules.ts'
import type { MailText } from './texts.ts'

export interface NewMail extends MailText {
  readonly tipo: MailType
  readonly para: string
  readonly contaId?: string
  /** Idempotency key: at most one mail per key. */
  readonly chave?: string
  /** Does the same work without a row, so the response time does not reveal whether an address is known. */
  readonly simulate?: boolean
}

/**
 * Inserts a mail in the caller's transaction; the worker of this node sends it after the commit. If the administrator switched
 * notifications off, only links requested by people are inserted. Returns true if a row was inserted.
 */
export async function enqueueMail(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'vault' | 'mailQueued'>,
  mail: NewMail,
): Promise<boolean> {
  const id = deps.ids.uuid()
  const now = deps.clock.now()
  const text = sealedMailText(deps, { id, tipo: mail.tipo, texto: mail.texto })
  const { rowCount } = await tx.query(
    `insert into emails (id, conta_id, tipo, chave, para, assunto, texto, criado_em, proxima_em)
     select $1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8::timestamptz, $8::timestamptz
     where $9 and ($10 or (select notificacoes_email from configuracoes_admin))
     on conflict (chave) do nothing`,
    [
      id,
      mail.contaId ?? null,
      mail.tipo,
      mail.chave ?? null,
      mail.para,
      mail.assunto.replace(/\s+/g, ' '),
      text,
      now,
      mail.simulate !== true,
      hasSecret(mail.tipo),
    ],
  )
  if (rowCount === 1) tx.afterCommit(deps.mailQueued)
  return rowCount === 1
}
