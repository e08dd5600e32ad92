import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Sessao } from '#http/authentication.ts'
import { countAttempt, issueResetLink, limitesDeConvite } from '#modules/auth/index.ts'
import { enqueueMail, textoConvite } from '#modules/emails/index.ts'

/** The text of the mail names the same 7 days. */
const CONVITE_MS = 7 * 24 * 3_600_000

export type ConvidarDeps = Pick<Deps, 'ids' | 'clock' | 'cofre' | 'settings'>

/**
 * Queues a mail with a link for the first password, valid once. It is sent even with notifications off. Throws
 * `muitasTentativas`.
 */
export async function convidar(
  tx: Tx,
  deps: ConvidarDeps,
  { contaId, nome: dono, empresa }: Sessao,
  pessoa: { readonly id: string; readonly nome: string; readonly email: string },
): Promise<void> {
  await countAttempt(tx, deps, limitesDeConvite(pessoa.email, contaId))
  const link = await issueResetLink(tx, deps, pessoa.id, { validadeMs: CONVITE_MS, convite: true })
  const carta = textoConvite({ nome: pessoa.nome, email: pessoa.email, dono, empresa, link: `${link}&convite=1` })
  await enqueueMail(tx, deps, { tipo: 'convite', para: pessoa.email, contaId, ...carta })
}
