import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { countAttempt, issueResetLink, conviteLimits } from '#modules/auth/index.ts'
import { enqueueMail, conviteMail } from '#modules/emails/index.ts'

/** The text of the mail names the same 7 days. */
const CONVITE_MS = 7 * 24 * 3_600_000

export type InviteDeps = Pick<Deps, 'ids' | 'clock' | 'vault' | 'settings'>

/**
 * Queues a mail with a link for the first password, valid once. It is sent even with notifications off. Throws
 * `muitasTentativas`.
 */
export async function inviteOperador(
  tx: Tx,
  deps: InviteDeps,
  { contaId, nome: dono, empresa }: LoginSession,
  person: { readonly id: string; readonly nome: string; readonly email: string },
): Promise<void> {
  await countAttempt(tx, deps, conviteLimits(person.email, contaId))
  const link = await issueResetLink(tx, deps, person.id, { validadeMs: CONVITE_MS, convite: true })
  const carta = conviteMail({ nome: person.nome, email: person.email, dono, empresa, link: `${link}&convite=1` })
  await enqueueMail(tx, deps, { tipo: 'convite', para: person.email, contaId, ...carta })
}
