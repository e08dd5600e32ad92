import type { Desafio } from '@balcao/contract/entities/segundo-fator'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { Accepted } from '#http/handle.ts'
import { updateUsuario } from '#modules/contas/index.ts'
import { countAttempt, loginLimit, touchAttempt } from './attempts.ts'
import { NO_CONTA } from './login-sessions.ts'
import { openLogin } from './second-factor/challenges.ts'
import { listMethods } from './second-factor/status.ts'
import { rpIdOf } from './passkeys/webauthn.ts'
import { checkPassword, type PasswordDeps } from './senha/check-password.ts'
import {
  enter,
  type EnterDeps,
  type LoginResult,
  recordRefusal,
  loginRefusal,
  refuseLogin,
  type Visit,
} from './sessions/enter.ts'
import { findUsuario, hasSecondFactor, type Identity } from './usuario.ts'

type LoginInput = Visit & Record<'email' | 'senha', string>

type LoginDeps = Pick<Deps, 'metrics'> & PasswordDeps & EnterDeps

/**
 * Throws `credenciaisInvalidas`, `muitasTentativas` and, only after a right password, `contaPendente` or
 * `contaInativa`.
 */
export async function login(deps: LoginDeps, input: LoginInput): Promise<LoginResult | Accepted<Desafio>> {
  // Before the first query, so that a refused try costs none.
  deps.passwords.requireSlot(input.ip)
  const parsed = await deps.db.transaction(NO_CONTA, (tx) => findUsuario(tx, { email: input.email }))
  const matches = await checkPassword(deps, parsed?.senhaHash ?? null, input)
  if (!matches || parsed === null || parsed.senhaHash === null) return refusePassword(deps, input, parsed)
  const newHash = deps.passwords.isOutdated(parsed.senhaHash) ? await deps.passwords.hash(input.senha, input.ip) : null

  const entered = await deps.db.transaction(NO_CONTA, async (tx) => {
    // The row lock orders this login against a deactivation or password change, which otherwise would miss the new
    // session.
    const usuario = await findUsuario(tx, { id: parsed.id }, { lock: true })
    if (usuario === null || usuario.senhaHash !== parsed.senhaHash) throw new AppError('credenciaisInvalidas')
    const recusa = await loginRefusal(tx, usuario)
    if (recusa !== null) return { recusa }
    await countAttempt(tx, deps, [loginLimit(usuario.id)])
    if (newHash !== null) await updateUsuario(tx, { id: usuario.id, fields: { senhaHash: newHash } })
    const result = hasSecondFactor(usuario)
      ? new Accepted(await askSecondFactor(tx, deps, usuario, input.lembrar))
      : await enter(tx, deps, usuario, { ...visitOf(input), metodo: 'senha' })
    return { recusa: null, result }
  })
  return entered.recusa === null ? entered.result : refuseLogin(deps, parsed, input.ip, entered.recusa)
}

const visitOf = ({ lembrar, ip, agente }: Visit): Visit => ({ lembrar, ip, agente })

/**
 * An unknown e-mail is only counted, so that a stranger can neither fill the audit trail nor plant personal data. It
 * costs a write and a commit as the record of a known one does, so the time of the answer does not tell them apart.
 */
async function refusePassword(deps: LoginDeps, { email, ip }: LoginInput, parsed: Identity | null): Promise<never> {
  if (parsed === null) {
    await deps.db.transaction(NO_CONTA, (tx) => touchAttempt(tx, deps, email))
    deps.metrics.countUnknownLogin()
  } else await recordRefusal(deps, parsed, ip, { detalhe: 'A senha não confere' })
  throw new AppError('credenciaisInvalidas')
}

async function askSecondFactor(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'settings'>,
  { id }: Identity,
  lembrar: boolean,
): Promise<Desafio> {
  const { token, expiraEm } = await openLogin(tx, deps, { usuarioId: id, lembrar })
  const metodos = await listMethods(tx, id, rpIdOf(deps.settings.urlPublica))
  return { desafio: token, metodos, expiraEm: expiraEm.toISOString() }
}
