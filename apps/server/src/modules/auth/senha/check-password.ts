import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import {
  type Attempt,
  type AttemptLimit,
  checkLimits,
  countAttempt,
  countRecent,
  emailCounter,
  forgetAttempt,
  passwordLimits,
} from '#modules/auth/attempts.ts'
import { NO_CONTA } from '#modules/auth/login-sessions.ts'
import { findUsuario } from '#modules/auth/usuario.ts'
import type { AttemptGuard } from '#security/password.ts'
import { delayAfter, FAILURES_COUNTED } from '#security/login-delays.ts'

export type PasswordDeps = Pick<Deps, 'db' | 'clock' | 'vault' | 'passwords' | 'delays'>

interface Guesser {
  readonly email: string
  readonly ip: string
  readonly further?: readonly AttemptLimit[]
}

interface Counters {
  readonly limits: readonly AttemptLimit[]
  /** Tries for this e-mail from any address. They delay and never refuse. */
  readonly counter: AttemptLimit
}

class DelayDue extends Error {
  override readonly name = 'DelayDue'
  readonly dueMs: number
  constructor(dueMs: number) {
    super('password check delayed')
    this.dueMs = dueMs
  }
}

export function checkPassword(
  deps: PasswordDeps,
  passwordHash: string | null,
  { senha, ...guesser }: Guesser & { readonly senha: string },
): Promise<boolean> {
  return checkGuess(deps, guesser, (guard) => deps.passwords.verify(passwordHash, senha, guesser.ip, guard))
}

export async function checkOwnPassword(
  deps: PasswordDeps,
  { usuarioId, email, ip }: RequestSession,
  senha: string,
  further?: readonly AttemptLimit[],
): Promise<boolean> {
  const usuario = await deps.db.transaction(NO_CONTA, (tx) => findUsuario(tx, { id: usuarioId }))
  return checkPassword(deps, usuario?.senhaHash ?? null, { email, ip, senha, ...(further && { further }) })
}

/**
 * Throws `muitasTentativas`. `check` calls its guard before it compares, and after a right guess. Guesses at one e-mail
 * from many addresses are delayed and not refused: with a limit a stranger could lock its owner out. A try waits
 * outside the hashing gate, without a connection, at most 8 s. The panel gives up after 15 s.
 */
export async function checkGuess(
  deps: Omit<PasswordDeps, 'passwords'>,
  { email, ip, further = [] }: Guesser,
  check: (guard: AttemptGuard) => Promise<boolean>,
): Promise<boolean> {
  const counters = { limits: [...passwordLimits(deps, email, ip), ...further], counter: emailCounter(deps, email) }
  let waitedMs = 0
  for (;;) {
    const outcome = await tryGuess(deps, counters, check, waitedMs)
    if (typeof outcome === 'boolean') return outcome
    await deps.delays.wait(outcome.dueMs - waitedMs, ip)
    waitedMs = outcome.dueMs
  }
}

/**
 * A first read of the counters keeps refused tries out of the hashing gate. The attempt is counted inside the gate,
 * before the check, and removed after a right guess, so parallel guesses cannot exceed the limits.
 */
async function tryGuess(
  deps: Omit<PasswordDeps, 'passwords'>,
  { limits, counter }: Counters,
  check: (guard: AttemptGuard) => Promise<boolean>,
  waitedMs: number,
): Promise<boolean | { readonly dueMs: number }> {
  const dueMs = await deps.db.read(NO_CONTA, async (tx) => {
    await checkLimits(tx, deps, limits)
    return delayAfter(await countRecent(tx, deps, counter, FAILURES_COUNTED))
  })
  if (dueMs > waitedMs) return { dueMs }
  let attempt: Attempt | null = null
  try {
    return await check({
      before: async () => {
        attempt = await deps.db.transaction(NO_CONTA, async (tx) => {
          const counted = await countAttempt(tx, deps, [...limits, counter])
          const before = (await countRecent(tx, deps, counter, FAILURES_COUNTED + 1)) - 1
          if (delayAfter(before) > waitedMs) throw new DelayDue(delayAfter(before))
          return counted
        })
      },
      right: () =>
        deps.db.transaction(NO_CONTA, async (tx) => {
          if (attempt !== null) await forgetAttempt(tx, attempt)
        }),
    })
  } catch (error) {
    if (error instanceof DelayDue) return { dueMs: error.dueMs }
    throw error
  }
}
