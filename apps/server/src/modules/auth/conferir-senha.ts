import type { Deps } from '#deps.ts'
import { verifySenha } from '#security/senha.ts'
import { SEM_CONTA } from './sem-conta.ts'
import { countAttempt, forgetAttempt, limitesDeSenha, type Tentativa } from './tentativas.ts'

/**
 * Checks a password within the attempt limits. The attempt is counted before the check and removed after a right
 * password, so parallel guesses cannot exceed the limit.
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
