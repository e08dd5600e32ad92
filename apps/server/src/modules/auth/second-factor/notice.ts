import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { enqueueMail, securityMail } from '#modules/emails/index.ts'

export type NoticeDeps = Pick<Deps, 'ids' | 'clock' | 'vault' | 'mailQueued' | 'settings'>

interface Person {
  readonly contaId: string
  readonly nome: string
  readonly email: string
}

/** `acontecimento` is the end of a sentence that starts with the time. */
export async function notifyPerson(
  tx: Tx,
  deps: NoticeDeps,
  { contaId, nome, email }: Person,
  { assunto, acontecimento }: { readonly assunto: string; readonly acontecimento: string },
): Promise<void> {
  const timeZone = await readTimeZone(tx, { contaId })
  const at = deps.clock.now().toLocaleString('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const { urlPublica } = deps.settings
  const mail = securityMail({ nome, assunto, acontecimento: `Em ${at}, ${acontecimento}`, urlPublica })
  await enqueueMail(tx, deps, { tipo: 'seguranca', para: email, contaId, ...mail })
}
