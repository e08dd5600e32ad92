import type { Usuario } from '@balcao/contract/entities/usuario'
import { type ErrorCode, ERROS } from '@balcao/contract/errors'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type NewAto, type AuditActor, recordAuditoria } from '#modules/auditoria/index.ts'
import { updateUsuario } from '#modules/contas/index.ts'
import { countAttempt, loginLimit } from './attempts.ts'
import { endOldestSessions, NO_CONTA, insertLoginSession } from './login-sessions.ts'
import { checkPassword, type PasswordDeps } from './senha/check-password.ts'
import { findUsuario, isContaActive, toUsuario, type UsuarioRow } from './usuario.ts'

export interface LoginInput {
  readonly email: string
  readonly senha: string
  readonly lembrar: boolean
  readonly ip: string
  readonly agente: string
}

export interface LoginResult {
  readonly token: string
  readonly usuario: Usuario
  readonly expiraEm: string
}

/**
 * Creates a session for an active usuario with the right password. Throws `credenciaisInvalidas`,
 * `muitasTentativas` and, only after a right password, `contaPendente` or `contaInativa`.
 */
export async function login(
  deps: Pick<Deps, 'ids' | 'metrics' | 'realtime' | 'forgetSessions'> & PasswordDeps,
  input: LoginInput,
): Promise<LoginResult> {
  // Before the first query, so that a refused try costs none.
  deps.passwords.requireSlot(input.ip)
  const parsed = await deps.db.transaction(NO_CONTA, (tx) => findUsuario(tx, { email: input.email }))
  const matches = await checkPassword(deps, parsed?.senhaHash ?? null, input)
  if (!matches || parsed === null || parsed.senhaHash === null) {
    // An unknown e-mail is only counted, so that a stranger can neither fill the audit trail nor plant personal data.
    if (parsed === null) deps.metrics.countUnknownLogin()
    else await recordRefusal(deps, input, parsed, 'A senha não confere')
    throw new AppError('credenciaisInvalidas')
  }
  const newHash = deps.passwords.isOutdated(parsed.senhaHash) ? await deps.passwords.hash(input.senha, input.ip) : null

  const entered = await deps.db.transaction(NO_CONTA, async (tx) => {
    // The row lock orders this login against a deactivation or password change, which otherwise would miss the new
    // session.
    const usuario = await findUsuario(tx, { id: parsed.id }, { lock: true })
    if (usuario === null || usuario.senhaHash !== parsed.senhaHash) throw new AppError('credenciaisInvalidas')
    const recusa = await refusal(tx, usuario)
    if (recusa !== null) return { recusa }
    await countAttempt(tx, deps, [loginLimit(usuario.id)])
    if (newHash !== null) await updateUsuario(tx, usuario.id, { senhaHash: newHash })
    await recordAuditoria(tx, deps, { acao: 'entrar', quem: loginActor(input, usuario) })
    const { token, expiraEm } = await insertLoginSession(tx, deps, { usuarioId: usuario.id, ...input })
    await endOldestSessions(tx, deps, usuario.id)
    return { recusa: null, token, usuario: toUsuario(usuario), expiraEm: expiraEm.toISOString() }
  })
  if (entered.recusa === null) return entered
  await recordRefusal(deps, input, parsed, ERROS[entered.recusa].erro)
  throw new AppError(entered.recusa)
}

function loginActor({ ip }: LoginInput, { id, contaId, nome, email }: UsuarioRow): AuditActor {
  return { usuarioId: id, contaId, nome, email, ip }
}

async function recordRefusal(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  entrada: LoginInput,
  parsed: UsuarioRow,
  detalhe: string,
): Promise<void> {
  const act: NewAto = { acao: 'entrar', quem: loginActor(entrada, parsed), resultado: 'recusado', detalhe }
  await deps.db.transaction(NO_CONTA, (tx) => recordAuditoria(tx, deps, act))
}

async function refusal(tx: Tx, usuario: UsuarioRow): Promise<ErrorCode | null> {
  switch (usuario.status) {
    case 'pendente':
      return 'contaPendente'
    case 'inativo':
      return 'contaInativa'
    case 'ativo':
      return (await isContaActive(tx, usuario.contaId)) ? null : 'contaInativa'
    default:
      return usuario.status satisfies never
  }
}
