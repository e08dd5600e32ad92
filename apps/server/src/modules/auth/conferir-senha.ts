import type { Deps } from '#deps.ts'
import { verifySenha } from '#security/senha.ts'
import { SEM_CONTA } from './sem-conta.ts'
import { countAttempt, forgetAttempt, limitesDeSenha, type Tentativa } from './tentativas.ts'

/**
 * Whether the password is right, within the limits of wrong ones (decisions §1). The attempt is counted before the
 * password is looked at and taken back when it was right: no number of parallel guesses passes the limit.
 */
export async function checkSenha(
  deps: Pick<Deps, 'db' | 'clock'>,
  senhaHash: string | null,
  quem: { readonly email: string; readonly senha: string; readonly ip: string },
): Promise<boolean> {
  const limites = limitesDeSenha(quem.email, quem.ip)
  let tentativa: Tentativa | null = null
  return verifySenha(senhaHash, quem.senha, {
    before: async () => {
      tentativa = await deps.db.transaction(SEM_CONTA, (tx) => countAttempt(tx, deps, limites))
    },
    right: () =>
      deps.db.transaction(SEM_CONTA, async (tx) => {
        if (tentativa !== null) await forgetAttempt(tx, tentativa)
      }),
  })
}
