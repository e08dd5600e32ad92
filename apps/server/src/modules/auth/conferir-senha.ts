import type { Deps } from '#deps.ts'
import { verifySenha } from '#security/senha.ts'
import { SEM_CONTA } from './sem-conta.ts'
import { countAttempt, forgetAttempt, limitesDeSenha } from './tentativas.ts'

/**
 * Whether the password is right, within the limits of wrong ones (decisions §1). The attempt is counted first and
 * taken back when it was right, or when the server was too busy to look.
 */
export async function checkSenha(
  deps: Pick<Deps, 'db' | 'clock'>,
  senhaHash: string | null,
  quem: { readonly email: string; readonly senha: string; readonly ip: string },
): Promise<boolean> {
  const limites = limitesDeSenha(quem.email, quem.ip)
  const tentativa = await deps.db.transaction(SEM_CONTA, (tx) => countAttempt(tx, deps, limites))
  let errada = false
  try {
    errada = !(await verifySenha(senhaHash, quem.senha))
  } finally {
    if (!errada) await deps.db.transaction(SEM_CONTA, (tx) => forgetAttempt(tx, tentativa))
  }
  return !errada
}
