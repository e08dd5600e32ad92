import type { Deps } from '#deps.ts'
import { countAttempt, forgetAttempt, passwordLimits, type Attempt } from '#modules/auth/attempts.ts'
import { NO_CONTA } from '#modules/auth/login-sessions.ts'
import { verifyPassword } from '#security/password.ts'

/**
 * Checks a password within the attempt limits. The attempt is counted before the check and removed after a right
 * password, so parallel guesses cannot exceed the limit.
 */
export async function checkPassword(
  deps: Pick<Deps, 'db' | 'clock' | 'vault'>,
  passwordHash: string | null,
  actor: { readonly email: string; readonly senha: string; readonly ip: string },
): Promise<boolean> {
  const limits = passwordLimits(deps, actor.email, actor.ip)
  let attempt: Attempt | null = null
  return verifyPassword(passwordHash, actor.senha, {
    before: async () => {
      attempt = await deps.db.transaction(NO_CONTA, (tx) => countAttempt(tx, deps, limits))
    },
    right: () =>
      deps.db.transaction(NO_CONTA, async (tx) => {
        if (attempt !== null) await forgetAttempt(tx, attempt)
      }),
  })
}
